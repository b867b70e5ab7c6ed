import Domain

/// History of releases: who, why, from, to, and on which eval run.
struct HistoryView: Sendable {
    let environment: String
    let releases: [Release]

    var html: HTML {
        var table = Table(
            "Releases in \(environment), newest first",
            columns: ["Release", "Time", "From", "To", "Author", "Reason", "Eval run"]
        )
        for release in releases {
            let run: HTML = release.run.map { "<a href=\"\(EvalsPage.path(of: $0))\">\($0)</a>" } ?? ""
            table.add(
                "\(release.number). \(ReleaseLabels.action(release.action))\(trial(release))",
                Figure.time(release.at),
                link(release.previous),
                link(release.bundle),
                "\(ActorName.text(of: release.actor))",
                "<bdi>\(release.reason)</bdi>",
                run
            )
        }
        return table.html(ifEmpty: "No releases; the prompts folder is active.")
    }

    private func trial(_ release: Release) -> HTML {
        guard let trial = release.trial else { return "" }
        return " of \(link(trial.bundle))"
    }

    private func link(_ digest: String?) -> HTML {
        guard let digest else { return "" }
        return "<a href=\"\(PromptsPage.path(of: digest))\"><code>\(digest.prefix(12))</code></a>"
    }
}

/// Display names of release actions and trial signals.
enum ReleaseLabels {
    /// Name of a release action, in the past tense.
    static func action(_ action: Release.Action) -> String {
        switch action {
        case .promote: "promoted"
        case .canary: "started a canary"
        case .shadow: "started a shadow trial"
        case .stop: "ended a trial"
        case .rollback: "rolled back"
        }
    }

    /// Description of a trial signal.
    static func question(_ name: String) -> String {
        switch name {
        case "more missed_deadline": "More patients with missed deadlines"
        case "more degraded": "More patients with degraded turns"
        case "more alerted": "More patients with alerts"
        case "fewer alerted": "Fewer patients with alerts"
        case "more over_cap": "More patients with replies over the word limit"
        case "more screened": "More patients with replies changed by the output screen"
        default: name.replacing("_", with: " ")
        }
    }
}
