import Console
import Conversation
import Cryptography
import Foundation
import Runtime

/// Creates the demonstration patient, the development key and the development operator of the embedded default, if
/// missing.
struct Demonstration: Service {
    let name = "demonstration"
    private static let time = Duration.seconds(10)

    private let roster: any PatientRoster
    private let keys: any ServiceKeyRecords
    private let operators: any OperatorRecords
    private let dataFolder: String

    init(
        _ roster: any PatientRoster,
        _ keys: any ServiceKeyRecords,
        _ operators: any OperatorRecords,
        dataFolder: String
    ) {
        self.roster = roster
        self.keys = keys
        self.operators = operators
        self.dataFolder = dataFolder
    }

    func start() async throws {
        let deadline = Deadline(after: Self.time)
        try await DemoHousehold.store(in: roster, by: deadline)
        try await storeKey(by: deadline)
        try await storeOperator(by: deadline)
    }

    private func storeKey(by deadline: Deadline) async throws {
        let key = try DevelopmentKey.keep(in: dataFolder)
        guard try await keys.key(digest: key.digest, by: deadline) == nil else { return }
        let record = ServiceKey(
            tenant: DemoHousehold.tenant,
            name: "development",
            scopes: ["turns", "read"],
            createdAt: Date()
        )
        try await keys.store(record, digest: key.digest, by: deadline)
    }

    private func storeOperator(by deadline: Deadline) async throws {
        let kept = try DevelopmentOperator.keep(in: dataFolder)
        let known = try await operators.operators(of: DemoHousehold.tenant, by: deadline)
        guard !known.contains(where: { $0.id == kept.key.operator }) else { return }
        try await operators.store(kept.record, keyHash: kept.key.hash.text, by: deadline)
    }

    func drain(by deadline: Deadline) async {}
}
