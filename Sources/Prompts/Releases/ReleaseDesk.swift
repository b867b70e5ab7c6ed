package import Conversation
import Cryptography
import Foundation
import Runtime

/// The releases of one environment, as an operator changes them: at the terminal and in the console alike.
///
/// What blocks, making a bundle and reading runs, is done on a thread of the desk's own.
package final class ReleaseDesk: Sendable {
    /// How long a statement may take.
    private static let statementTime = Duration.seconds(10)
    /// How long making a bundle may take.
    private static let makingTime = Duration.seconds(20)

    /// The environment: "production".
    package let environment: String
    let records: any ReleaseRecords
    private let runs: EvalRunFolder
    private let suite: SuiteReader
    private let lock: PromptLockFile?
    private let make: LoadedBundle.Maker
    private let threads = WorkerThreads(name: "release desk", count: 1, capacity: 16)

    /// Reads the digest of the fixtures that a promotion asks for; blocks on the disk.
    package typealias SuiteReader = @Sendable () -> Result<String, UnreadableSuite>

    /// Makes a desk.
    ///
    /// - Parameters:
    ///   - runs: Where eval runs leave what they found.
    ///   - suite: Reads the digest of the fixtures that a promotion asks for.
    ///   - lock: Where what is in force is written for people; nil to keep no lock.
    ///   - make: Makes a bundle of files, which proves that the service could answer with them.
    package init(
        _ records: any ReleaseRecords,
        environment: String,
        runs: EvalRunFolder,
        suite: @escaping SuiteReader,
        lock: PromptLockFile?,
        make: @escaping LoadedBundle.Maker
    ) {
        self.records = records
        self.environment = environment
        self.runs = runs
        self.suite = suite
        self.lock = lock
        self.make = make
    }

    var deadline: Deadline { Deadline(after: Self.statementTime) }

    /// The newest release; nil while the environment follows its folder.
    package func newest() async throws(ReleaseRefusal) -> Release? {
        try await releases(limit: 1).first
    }

    /// The newest releases, the newest first.
    package func releases(limit: Int) async throws(ReleaseRefusal) -> [Release] {
        try await asked { () async throws(RecordsError) in
            try await records.releases(in: environment, limit: limit, by: deadline)
        }
    }

    /// The bundles that were stored last, the latest first.
    package func bundles(limit: Int) async throws(ReleaseRefusal) -> [StoredBundle] {
        try await asked { () async throws(RecordsError) in try await records.bundles(limit: limit, by: deadline) }
    }

    /// What a trial has shown.
    package func units(ofTrial release: Int) async throws(ReleaseRefusal) -> [TrialUnit] {
        try await asked { () async throws(RecordsError) in
            try await records.units(ofTrial: release, in: environment, by: deadline)
        }
    }

    /// Asks every replica to read its folder again.
    package func announceReload() async throws(ReleaseRefusal) {
        try await asked { () async throws(RecordsError) in
            try await records.announceReload(in: environment, by: deadline)
        }
    }

    /// The files of a stored bundle, by the first digits of its digest.
    package func files(of start: String) async throws(ReleaseRefusal) -> (digest: String, files: [BundleFile]) {
        let digests = try await asked { () async throws(RecordsError) in
            try await records.digests(beginning: start, limit: 2, by: deadline)
        }
        guard let digest = digests.first else { throw .unknownBundle(start: start) }
        guard digests.count == 1 else { throw .manyBundles(start: start) }
        let bytes = try await asked { () async throws(RecordsError) in
            try await records.archive(digest: digest, by: deadline)
        }
        guard let files = bytes.flatMap({ BundleArchive(bytes: $0).files }) else {
            throw .unreadableBundle(start: start)
        }
        return (digest, files)
    }

    /// Makes a bundle of files on the desk's thread, without storing it.
    package func made(_ files: [BundleFile]) async throws(ReleaseRefusal) -> LoadedBundle {
        let make = make
        let result = try await blocking {
            Result { () throws(BundleError) in try make(files) }
        }
        do throws(BundleError) {
            return try result.get()
        } catch {
            throw .notLoadable(error)
        }
    }

    /// Proves that the service could answer with the files, and stores them; returns their digest.
    package func store(_ files: [BundleFile]) async throws(ReleaseRefusal) -> String {
        _ = try await made(files)
        let archive = BundleArchive(files)
        try await asked { () async throws(RecordsError) in
            try await records.store(archive: archive.bytes, digest: archive.digest.hex, by: deadline)
        }
        return archive.digest.hex
    }

    /// The digest of the fixtures that a promotion asks for.
    package func demandedSuite() async throws(ReleaseRefusal) -> String {
        let result = try await blocking(suite)
        do throws(UnreadableSuite) {
            return try result.get()
        } catch {
            throw .noSuite(reason: error.reason)
        }
    }

    /// The eval run that passed on exactly these files and the fixtures that are asked for: the named one, or the newest.
    package func justification(of digest: String, run: String?) async throws(ReleaseRefusal) -> EvalRun {
        let (runs, suite) = (runs, try await demandedSuite())
        let result = try await blocking {
            Result { () throws(EvalRunFolder.Refusal) in
                try runs.justification(of: digest, suite: suite, run: run)
            }
        }
        do throws(EvalRunFolder.Refusal) {
            return try result.get()
        } catch {
            throw .unjustified(bundle: digest, error)
        }
    }

    /// Writes what is in force into the lock; returns why that could not be done.
    func lock(_ entry: PromptLock.Entry) async throws(ReleaseRefusal) -> PromptLockFile.Failure? {
        guard let lock else { return nil }
        return try await blocking {
            do throws(PromptLockFile.Failure) {
                try lock.write(entry)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Asks the record.
    func asked<Value>(
        _ question: () async throws(RecordsError) -> Value
    ) async throws(ReleaseRefusal) -> Value {
        do throws(RecordsError) {
            return try await question()
        } catch {
            throw .records(error)
        }
    }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws(ReleaseRefusal) -> Value {
        do throws(WorkerError) {
            return try await threads.run(by: Deadline(after: Self.makingTime), work)
        } catch {
            throw .busy(error)
        }
    }
}
