import Evaluation
import Foundation
import Prompts

/// The fixtures that a promotion asks for: those of the suites that the lock names, or else of the folder of fixtures.
///
/// Blocks on the disk.
struct PromotionSuite: Sendable {
    private let folder: String
    private let lock: PromptLockFile

    init(_ settings: Settings) {
        folder = settings.folder(.fixturesFolder)
        lock = BundleParts.lock(settings)
    }

    /// The files and folders, as `hearth evals run` takes them when none are named.
    func paths() throws(FixtureError) -> [String] {
        do throws(PromptLockFile.Failure) {
            let suites = try lock.lock().suites
            return suites.isEmpty ? [folder] : suites.map { $0 == "." ? folder : "\(folder)/\($0)" }
        } catch {
            throw .unreadable(path: PromptLock.name, reason: "\(error)")
        }
    }

    /// The fixtures.
    @Sendable func fixtures() throws(FixtureError) -> [Fixture] { try SuiteFiles().fixtures(try paths()) }

    /// The digest of what the fixtures ask and expect.
    @Sendable func digest() -> Result<String, UnreadableSuite> {
        Result { () throws(FixtureError) in RunHeader.suite(of: try fixtures()) }
            .mapError { UnreadableSuite(reason: "\($0)") }
    }
}
