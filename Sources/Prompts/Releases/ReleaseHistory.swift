package import Conversation
package import Foundation

/// A bundle that was in force earlier, and to which one may go back.
package struct EarlierBundle: Sendable, Equatable {
    /// Its digest.
    package let digest: String
    /// When another bundle took its place.
    package let until: Date

    /// Names a bundle.
    package init(digest: String, until: Date) {
        self.digest = digest
        self.until = until
    }
}

/// The changes of an environment, as they decide where one may go back to.
package struct ReleaseHistory: Sendable {
    /// The bundles that were rolled back and not promoted again; to them nobody goes back.
    package let rolledBack: Set<String>
    /// The bundles to which one may go back, the one that was in force last first.
    package let earlier: [EarlierBundle]
    /// The bundle in force; nil where nothing was released.
    private let inForce: String?
    /// Every bundle that was in force.
    private let known: Set<String>

    /// Reads the changes.
    ///
    /// - Parameter releases: The releases of one environment, the newest first.
    package init(_ releases: [Release]) {
        var bad: Set<String> = []
        var before: Release?
        for release in releases.reversed() {
            switch release.action {
            case .promote: bad.remove(release.bundle)
            case .rollback:
                let left = release.previous == release.bundle ? before?.trial?.bundle : release.previous
                if let left { bad.insert(left) }
            case .canary, .shadow, .stop: break
            }
            before = release
        }
        inForce = releases.first?.bundle
        known = Set(releases.map(\.bundle))
        rolledBack = bad
        var seen = Set([inForce].compactMap { $0 })
        earlier = zip(releases.dropFirst(), releases).compactMap { release, next in
            guard seen.insert(release.bundle).inserted, !bad.contains(release.bundle) else { return nil }
            return EarlierBundle(digest: release.bundle, until: next.at)
        }
    }

    /// The bundle to go back to: the one that is named by its first digits, or else the last before the one in force.
    func target(_ start: String?, in environment: String) throws(ReleaseRefusal) -> String {
        guard let start else {
            if let last = earlier.first { return last.digest }
            throw known.count > 1 ? .noneIsLeft(environment: environment) : .onlyBundle(environment: environment)
        }
        if let chosen = earlier.first(where: { $0.digest.hasPrefix(start) }) { return chosen.digest }
        if let bad = known.first(where: { $0.hasPrefix(start) && rolledBack.contains($0) }) {
            throw .rolledBack(bundle: bad, environment: environment)
        }
        if let inForce, inForce.hasPrefix(start) { throw .inForce(bundle: inForce) }
        throw .neverInForce(start: start, environment: environment)
    }
}
