import Foundation
import Recall
import Runtime

/// The real embedding engine, loaded once for all tests from `.deps/e5` in the package's folder.
enum RealEngine {
    static let settings = EmbeddingSettings(folder: packageFolder + "/.deps/e5")

    static let packageFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private static let centred = Task {
        try await EmbeddingEngine.load(settings, by: .far)
    }

    private static let raw = Task {
        try await EmbeddingEngine.load(settings, centred: false, by: .far)
    }

    /// The engine as the service uses it; throws when set-up has not been run.
    static func load() async throws -> EmbeddingEngine { try await centred.value }

    /// The engine without centring.
    static func loadRaw() async throws -> EmbeddingEngine { try await raw.value }
}

extension Deadline {
    /// A minute from now: the tests share one engine, whose queue is long when all of them begin.
    static var far: Deadline { Deadline(after: .seconds(60)) }
}

func dot(_ left: [Float], _ right: [Float]) -> Float {
    zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
}
