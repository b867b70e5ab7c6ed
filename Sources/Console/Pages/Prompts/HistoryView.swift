import Domain

/// History of releases: author, reason, the bundles before and after, and the eval run.
struct HistoryView: Sendable {
    let environment: String
    let releases: [Release]
    /// Digests to which a rollback may return.
    let earlier: Set<String>
    let names: BundleNames
    let call: ConsoleRequestContext

    var html: HTML {
        var table = Table(
            "Releases in \(environment), newest first",
            columns: ["Release", "Time", "From", "To", "Author", "Reason", "Eval run", "Changes"]
        )
        for release in releases {
            let run: HTML = release.run.map { "<a href=\"\(ConsolePath.run($0))\">\($0)</a>" } ?? ""
            table.add(
                "\(release.number). \(ReleaseLabels.action(release.action))\(trial(release))",
                Figure.time(release.at),
                release.previous.map(names.link) ?? "",
                names.link(release.bundle),
                "\(ActorName.text(of: release.actor))",
                "<bdi>\(release.reason)</bdi>",
                run,
                "\(changes(release))\(back(release))"
            )
        }
        return table.html(ifEmpty: "No releases; the prompts folder is active.")
    }

    /// Link to what the release changed; for a trial, what its candidate would change.
    private func changes(_ release: Release) -> HTML {
        let new = release.trial?.bundle ?? release.bundle
        guard let old = release.trial == nil ? release.previous : release.bundle, old != new else { return "" }
        return "<a href=\"\(ConsolePath.bundle(new, from: old))\">Diff</a>"
    }

    private func back(_ release: Release) -> HTML {
        guard call.mayChangeInstallation(.admin), earlier.contains(release.bundle) else { return "" }
        return " · <a href=\"\(ConsolePath.bundle(release.bundle))\">Go back to it</a>"
    }

    private func trial(_ release: Release) -> HTML {
        guard let trial = release.trial else { return "" }
        return " of \(names.link(trial.bundle))"
    }
}

/// Display names of release actions and trial signals.
enum ReleaseLabels {
    /// Name of a release action, in the past tense.
    static func action(_ action: Release.Action) -> Label { Label(name(of: action)) }

    /// Name of a release action in English, for a sentence that is translated as a whole.
    static func name(of action: Release.Action) -> String {
        switch action {
        case .promote: "promoted"
        case .canary: "started a canary"
        case .shadow: "started a shadow trial"
        case .stop: "ended a trial"
        case .rollback: "rolled back"
        }
    }

    /// Description of a trial signal.
    static func question(_ name: String) -> Label {
        switch name {
        case "more missed_deadline": "More patients with missed deadlines"
        case "more degraded": "More patients with degraded turns"
        case "more alerted": "More patients with alerts"
        case "fewer alerted": "Fewer patients with alerts"
        case "more over_cap": "More patients with replies over the word limit"
        case "more screened": "More patients with replies changed by the output screen"
        default: Label(name.replacing("_", with: " "))
        }
    }
}
