import Conversation
import Prompts

/// A bundle as the pages find it: the one in force, or a stored one.
struct ShelvedBundle: Sendable {
    /// Its digest.
    let digest: String
    /// Its files, in order of their paths.
    let files: [BundleFile]

    /// The digest's first 12 digits, by which replies name it.
    var version: String { String(digest.prefix(12)) }

    /// A file by its path; nil when the bundle has none such.
    func file(_ path: String) -> BundleFile? { files.first { $0.path == path } }
}

/// Finds bundles by the first digits of their digests.
struct BundleShelf: Sendable {
    /// So many digits at least, so that an address names one bundle.
    private static let fewestDigits = 12

    let bundles: BundlesInForce
    let desk: ReleaseDesk

    /// The bundle in force on this replica, which is not stored while the folder is followed.
    var inForce: ShelvedBundle {
        let loaded = bundles.loaded
        return ShelvedBundle(digest: loaded.digest, files: loaded.files.sorted { $0.path < $1.path })
    }

    /// A bundle.
    ///
    /// - Throws: ``ConsoleRefusal/notFound`` when there is none, or more than one.
    func bundle(_ start: String) async throws(ConsoleRefusal) -> ShelvedBundle {
        guard start.utf8.count >= Self.fewestDigits, start.utf8.count <= 64,
            start.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { throw .notFound }
        let inForce = inForce
        if inForce.digest.hasPrefix(start) { return inForce }
        do throws(ReleaseRefusal) {
            let (digest, files) = try await desk.files(of: start)
            return ShelvedBundle(digest: digest, files: files.sorted { $0.path < $1.path })
        } catch {
            throw ConsoleRefusal(error)
        }
    }
}

extension ConsoleRefusal {
    /// What a refusal of the release desk means here.
    init(_ refusal: ReleaseRefusal) {
        switch refusal {
        case .unknownBundle, .manyBundles: self = .notFound
        case .records(let error): self.init(error)
        case .busy: self = .unavailable(reason: "\(refusal)")
        case .notLoadable, .unreadableBundle, .unjustified, .raced, .noRelease, .trialRuns, .noTrial, .inForce,
            .neverInForce, .onlyBundle, .noneIsLeft, .rolledBack, .noSuite:
            self = .conflict("\(refusal)")
        }
    }
}
