import Conversation
import Foundation

/// A release as a line of output.
struct ReleaseLine: Sendable {
    private let release: Release

    init(_ release: Release) {
        self.release = release
    }

    func text(asJSON: Bool) -> String {
        guard asJSON else { return sentence }
        var line = JSONLine()
        line["environment"] = release.environment
        line.set("number", release.number)
        line["at"] = release.at.formatted(.iso8601)
        line["action"] = release.action.rawValue
        line["from"] = release.previous
        line["to"] = release.bundle
        line["trial"] = release.trial?.kind.rawValue
        line["trial_bundle"] = release.trial?.bundle
        if let share = release.trial?.share { line.set("trial_share", share) }
        line["who"] = release.actor
        line["why"] = release.reason
        line["run"] = release.run
        return line.text
    }

    private var sentence: String {
        let from = release.previous.map { String($0.prefix(12)) } ?? "-"
        let trial = release.trial.map { "  tries \($0.bundle.prefix(12)) on \($0.share)" } ?? ""
        let run = release.run.map { "  run \($0)" } ?? ""
        return "\(release.number)  \(release.at.formatted(.iso8601))  \(release.action.rawValue)  \(from) -> "
            + "\(release.bundle.prefix(12))\(trial)\(run)  by \(release.actor): \(release.reason)"
    }
}
