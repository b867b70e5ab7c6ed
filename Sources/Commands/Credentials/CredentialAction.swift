import Conversation
import Runtime

/// An action on credentials, parsed from the command line.
enum CredentialAction<Kind>: Sendable, Equatable {
    case create(name: String)
    case list
    case revoke(ID<Kind>)

    init?(_ words: [String]) {
        switch (words.first, words.count) {
        case ("create", 2): self = .create(name: words[1])
        case ("list", 1): self = .list
        case ("revoke", 2):
            guard let id = ID<Kind>(words[1]) else { return nil }
            self = .revoke(id)
        default: return nil
        }
    }

    private static var time: Duration { .seconds(10) }
    private static var nameLengths: ClosedRange<Int> { 1...200 }

    /// Refuses a name that the database does not accept.
    func check(_ noun: String) throws(CommandFailure) {
        guard case .create(let name) = self else { return }
        guard Self.nameLengths.contains(name.unicodeScalars.count), !name.contains("\0") else {
            throw CommandFailure("\(noun)'s name must have 1 to 200 characters.", .usage)
        }
    }

    /// Performs the action and prints its result.
    func perform<Held: Credentials>(
        on held: Held,
        tenant: TenantID,
        asJSON: Bool
    ) async throws(RecordsError) -> ExitCode where Held.Kind == Kind {
        let deadline = Deadline(after: Self.time)
        switch self {
        case .create(let name):
            let line = try await held.create(name, tenant: tenant, by: deadline)
            Terminal.out(asJSON ? line.json : line.secret ?? line.text)
            if !asJSON { Terminal.error("Its id, by which it is revoked, is \(line.id).") }
            return .success
        case .list:
            for line in try await held.all(of: tenant, by: deadline) { Terminal.out(asJSON ? line.json : line.text) }
            return .success
        case .revoke(let id):
            let wasGood = try await held.revoke(id, tenant: tenant, by: deadline)
            Terminal.error(wasGood ? "Revoked \(id)." : "The tenant has no good one called \(id).")
            return wasGood ? .success : .refused
        }
    }
}
