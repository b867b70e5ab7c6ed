import Conversation

/// History of releases: who, why, from, to, and on which eval run.
struct HistoryView: Sendable {
    let environment: String
    let releases: [Release]

    var html: HTML {
        var table = Table(
            "Changes in \(environment), the latest first",
            columns: ["Change", "When", "From", "To", "Who", "Why", "Eval run"]
        )
        for release in releases {
            let run: HTML = release.run.map { "<a href=\"\(EvalsPage.path(of: $0))\">\($0)</a>" } ?? ""
            table.add(
                "\(release.number). \(ReleaseWords.action(release.action))\(trial(release))",
                Figure.time(release.at),
                link(release.previous),
                link(release.bundle),
                "\(ActorName.text(of: release.actor))",
                "<bdi>\(release.reason)</bdi>",
                run
            )
        }
        return table.html(ifEmpty: "Nothing has been released here; the folder is followed.")
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
