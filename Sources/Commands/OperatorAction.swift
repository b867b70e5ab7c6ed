import Console
import Conversation
import Cryptography
import Foundation
import Runtime

/// What is done to operators.
enum OperatorAction: Sendable, Equatable {
    case create(name: String, Operator.Role)
    case list
    case revoke(OperatorID)

    init?(_ words: [String], role: String?) {
        switch (words.first, words.count) {
        case ("create", 2):
            guard let role = role.flatMap(Operator.Role.init) else { return nil }
            self = .create(name: words[1], role)
        case ("list", 1): self = .list
        case ("revoke", 2):
            guard let person = OperatorID(words[1]) else { return nil }
            self = .revoke(person)
        default: return nil
        }
    }

    private static let time = Duration.seconds(10)
    private static let nameLengths = 1...200

    /// Refuses a name that the records do not take.
    func check() throws(CommandFailure) {
        guard case .create(let name, _) = self else { return }
        guard Self.nameLengths.contains(name.unicodeScalars.count), !name.contains("\0") else {
            throw CommandFailure("An operator's name must have 1 to 200 characters.", .usage)
        }
    }

    /// Does it and prints what came of it.
    ///
    /// A new key is shown this once.
    func perform(on records: any OperatorRecords, tenant: TenantID, asJSON: Bool) async throws(RecordsError) -> ExitCode
    {
        let deadline = Deadline(after: Self.time)
        switch self {
        case .create(let name, let role):
            let person = Operator(tenant: tenant, name: name, role: role, createdAt: Date())
            let key = OperatorKey(for: person.id)
            try await records.store(person, keyHash: key.hash.text, by: deadline)
            Terminal.out(asJSON ? OperatorLine(person, key: key.text).json : key.text)
            return .success
        case .list:
            for person in try await records.operators(of: tenant, by: deadline) {
                let line = OperatorLine(person, key: nil)
                Terminal.out(asJSON ? line.json : line.text)
            }
            return .success
        case .revoke(let person):
            let wasGood = try await records.revoke(person, tenant: tenant, by: deadline)
            Terminal.error(wasGood ? "Revoked \(person)." : "The tenant has no operator \(person) with a good key.")
            return wasGood ? .success : .refused
        }
    }
}
