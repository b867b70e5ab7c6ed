import Foundation
import Runtime
import TestSupport

/// The providers' doubles for a service that is measured, until they are killed.
enum DrillProviders {
    static func run(account path: String) async throws {
        let providers = try await AlertProviders(on: EventLoopGroup(count: 1))
        _ = FileManager.default.createFile(atPath: path, contents: Data(providers.accountFile))
        FileHandle.standardOutput.write(Data("listening \(providers.url)\n".utf8))
        _ = await OneShot<Void>().value(ifCancelled: ())
    }
}
