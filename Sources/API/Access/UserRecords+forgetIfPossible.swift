import Domain
import Runtime

extension UserRecords {
    /// Forgets the attempts under some names, after what was tried has been found right.
    ///
    /// A failure here loses nothing: attempts stay counted, and used codes stay used. It takes a
    /// second at most, also when the caller has gone.
    func forgetIfPossible(_ names: String...) async {
        let deadline = Deadline(after: .seconds(1))
        await Task { for name in names { try? await forgetAttempts(with: name, by: deadline) } }.value
    }
}
