/// A reason why the embedding engine could not be loaded.
package enum EmbeddingError: Error, Equatable {
    /// The library is missing or cannot be loaded, with the dynamic linker's reason.
    case libraryUnusable(path: String, reason: String)
    /// The library lacks a function of the interface.
    case functionMissing(name: String, path: String)
    /// There is no readable model file at the path.
    case modelUnreadable(path: String)
    /// The model file has another digest than expected.
    case wrongModel(path: String, expected: String, found: String)
    /// The engine refused the model file.
    case modelRefused(path: String)
    /// The model's vectors do not have the expected length.
    case wrongDimension(expected: Int, found: Int)
    /// Loading took too long.
    case timedOut
    /// The caller was cancelled.
    case cancelled
}

extension EmbeddingError: CustomStringConvertible {
    /// The error as a sentence for the operator, with a remedy.
    package var description: String {
        switch self {
        case .libraryUnusable(let path, let reason):
            "The embedding library \(path) cannot be loaded (\(reason)): run `make setup`."
        case .functionMissing(let name, let path):
            "The embedding library \(path) has no function \(name): delete it and run `make setup`."
        case .modelUnreadable(let path):
            "The embedding model \(path) cannot be read: run `make setup`."
        case .wrongModel(let path, let expected, let found):
            "The embedding model \(path) is another file (SHA-256 \(found), not \(expected)): "
                + "delete it and run `make setup`."
        case .modelRefused(let path):
            "The embedding library refused the model \(path): delete both and run `make setup`."
        case .wrongDimension(let expected, let found):
            "The embedding model makes vectors of \(found) numbers, not \(expected)."
        case .timedOut:
            "The embedding model was not loaded in time: the disk or the processor is overloaded."
        case .cancelled:
            "Loading the embedding model was cancelled."
        }
    }
}
