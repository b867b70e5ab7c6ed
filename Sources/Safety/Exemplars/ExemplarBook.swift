import Synchronization

/// The trained head in force, or why there is none; replaced while turns are being screened.
package final class ExemplarBook: Sendable {
    private let folder: String
    private let space: String
    private let current: Mutex<Result<ExemplarHead, ExemplarError>>

    /// Loads the head of a folder of exemplars.
    ///
    /// - Parameter space: The space of the vectors that messages have.
    package init(folder: String, space: String) {
        self.folder = folder
        self.space = space
        current = Mutex(Self.head(folder, space))
    }

    /// The head, or why there is none.
    package var head: Result<ExemplarHead, ExemplarError> { current.withLock { $0 } }

    /// What is wrong, for the operator; nil when the head is in force.
    package var failure: ExemplarError? {
        if case .failure(let error) = head { error } else { nil }
    }

    /// Reads the folder again; a head that cannot be used leaves the one before in force.
    ///
    /// - Throws: Why the new one cannot be used.
    package func reload() throws(ExemplarError) {
        switch Self.head(folder, space) {
        case .success(let head): current.withLock { $0 = .success(head) }
        case .failure(let error):
            current.withLock { earlier in
                if case .failure = earlier { earlier = .failure(error) }
            }
            throw error
        }
    }

    private static func head(_ folder: String, _ space: String) -> Result<ExemplarHead, ExemplarError> {
        Result { () throws(ExemplarError) in try HeadFile.read(folder, for: space) }
    }
}
