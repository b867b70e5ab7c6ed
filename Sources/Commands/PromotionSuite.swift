import Evaluation
import Prompts

/// Fixtures that a promotion requires: the suites named in the lock file, otherwise the folder of fixtures.
///
/// Blocks on the disk.
struct PromotionSuite: Sendable {
    private let folder: String
    private let lock: PromptLockFile

    init(_ settings: Settings) {
        folder = settings.folder(.fixturesFolder)
        lock = BundleLoader.lock(settings)
    }

    /// Files and folders that `hearth evals run` uses if none are named.
    func paths() throws(FixtureError) -> [String] {
        do throws(PromptLockFile.Failure) {
            let suites = try lock.lock().suites
            return suites.isEmpty ? [folder] : suites.map { $0 == "." ? folder : "\(folder)/\($0)" }
        } catch {
            throw .unreadable(path: PromptLock.name, reason: "\(error)")
        }
    }

    /// Reads the fixtures.
    @Sendable func fixtures() throws(FixtureError) -> [Fixture] { try SuiteFiles().fixtures(try paths()) }

    /// Digest of the fixtures' inputs and assertions.
    @Sendable func digest() -> Result<String, UnreadableSuite> {
        Result { () throws(FixtureError) in RunHeader.suite(of: try fixtures()) }
            .mapError { UnreadableSuite(reason: "\($0)") }
    }
}
