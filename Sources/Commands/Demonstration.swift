import Conversation
import Foundation
import Runtime

/// The demonstration patient and the development key, which the embedded default makes when they are not there.
struct Demonstration: Service {
    let name = "demonstration"
    private static let time = Duration.seconds(10)

    private let roster: any PatientRoster
    private let keys: any ServiceKeyRecords
    private let dataFolder: String

    init(_ roster: any PatientRoster, _ keys: any ServiceKeyRecords, dataFolder: String) {
        self.roster = roster
        self.keys = keys
        self.dataFolder = dataFolder
    }

    func start() async throws {
        let deadline = Deadline(after: Self.time)
        try await DemoHousehold.store(in: roster, by: deadline)
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

    func drain(by deadline: Deadline) async {}
}
