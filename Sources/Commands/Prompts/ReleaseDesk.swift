import Conversation
import Cryptography
import Foundation
import PostgresStore
import Prompts
import Runtime

/// The releases of one environment, as an operator changes them.
struct ReleaseDesk: Sendable {
    let records: any ReleaseRecords
    let environment: String

    init(_ records: any ReleaseRecords, environment: String) {
        self.records = records
        self.environment = environment
    }

    private var deadline: Deadline { Deadline(after: PromptCall.time) }

    /// The newest release; nil while the environment follows its folder.
    func newest() async throws -> Release? {
        try await records.releases(in: environment, limit: 1, by: deadline).first
    }

    /// The newest releases, the newest first.
    func releases(limit: Int) async throws -> [Release] {
        try await records.releases(in: environment, limit: limit, by: deadline)
    }

    /// What a trial has shown.
    func units(ofTrial release: Int) async throws -> [TrialUnit] {
        try await records.units(ofTrial: release, in: environment, by: deadline)
    }

    /// Asks every replica to read its folder again.
    func announceReload() async throws { try await records.announceReload(in: environment, by: deadline) }

    /// The files of a stored bundle, by the first digits of its digest.
    func files(of start: String) async throws -> (digest: String, files: [BundleFile]) {
        let digests = try await records.digests(beginning: start, limit: 2, by: deadline)
        guard let digest = digests.first else {
            throw CommandFailure("No stored bundle begins with \(start).", .missing)
        }
        guard digests.count == 1 else { throw CommandFailure("More than one bundle begins with \(start).", .usage) }
        guard let bytes = try await records.archive(digest: digest, by: deadline),
            let files = BundleArchive(bytes: bytes).files
        else { throw CommandFailure("The bundle \(start) cannot be read.", .missing) }
        return (digest, files)
    }

    /// Proves that the service could answer with the files, and stores them; returns their digest.
    func store(_ files: [BundleFile]) async throws -> String {
        do throws(BundleError) {
            _ = try BundleParts().make(files)
        } catch {
            throw CommandFailure("\(error)", .found)
        }
        let archive = BundleArchive(files)
        try await records.store(archive: archive.bytes, digest: archive.digest.hex, by: deadline)
        return archive.digest.hex
    }

    /// Puts a release in the record, from where every replica takes it.
    func append(_ release: Release) async throws {
        guard try await records.append(release, by: deadline) else {
            throw CommandFailure(
                "Another change of \(environment) came first; look at its status and try again.",
                .refused
            )
        }
    }
}
