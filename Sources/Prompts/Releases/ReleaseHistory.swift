package import Conversation
package import Foundation

/// An earlier active bundle that a rollback may return to.
package struct EarlierBundle: Sendable, Equatable {
    /// The bundle's digest.
    package let digest: String
    /// The time at which another bundle replaced it.
    package let until: Date

    package init(digest: String, until: Date) {
        self.digest = digest
        self.until = until
    }
}

/// The changes of an environment, which determine the possible rollbacks.
package struct ReleaseHistory: Sendable {
    /// The bundles that were rolled back and not promoted again; a rollback never returns to them.
    package let rolledBack: Set<String>
    /// The bundles that a rollback may return to, the most recently active first.
    package let earlier: [EarlierBundle]
    /// The active bundle; nil without a release.
    private let inForce: String?
    /// All bundles that were ever active.
    private let known: Set<String>

    /// Reads the changes.
    ///
    /// - Parameter releases: The releases of one environment, newest first.
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

    /// The bundle to return to: the one with these first digits, else the last before the active one.
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
