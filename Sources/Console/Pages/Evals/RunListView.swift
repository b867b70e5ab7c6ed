import Evaluation

/// List of eval runs, with a form that compares two of them.
struct RunListView: Sendable {
    let entries: [RunShelf.Entry]

    var html: HTML {
        "\(comparing)<h2>Runs</h2>\(table)"
    }

    private var table: HTML {
        var table = Table(
            "Runs, the latest first",
            columns: ["Run", "Verdict", "Passed", "Words from", "Bundle", "Began"]
        )
        for entry in entries {
            let bundle: HTML =
                entry.bundle.map { digest in
                    "<a href=\"\(PromptsPage.path(of: digest))\"><code>\(digest.prefix(12))</code></a>"
                } ?? "<span class=\"quiet\">not said</span>"
            table.add(
                "<a href=\"\(EvalsPage.path(of: entry.name))\">\(entry.name)</a>",
                "\(Self.badge(entry.verdict))\(entry.isPartial ? " <span class=\"quiet\">a part</span>" : "")",
                "\(entry.passes.successes) of \(entry.passes.count)",
                "\(entry.mode.rawValue)\(entry.model.isEmpty ? "" : ", \(entry.model)")",
                bundle,
                Figure.time(entry.startedAt)
            )
        }
        return table.html(ifEmpty: "No run has been left in the folder of runs yet.")
    }

    private var comparing: HTML {
        guard entries.count > 1 else { return "" }
        let options = entries.map { "<option>\($0.name)</option>" as HTML }
        let later = options.joined
        let earlier = (options.dropFirst() + options.prefix(1)).map { $0 }.joined
        return """
            <section class="panel"><h2>Hold one against another</h2><form action="\(ConsolePath("evals", "compare"))">\
            <div class="buttons"><div class="field"><label for="run">Run</label><select id="run" name="run">\(later)</select>\
            </div><div class="field"><label for="base">against</label><select id="base" name="base">\(earlier)</select></div>\
            <button type="submit">Compare</button></div></form></section>
            """
    }

    /// Badge of a verdict.
    static func badge(_ verdict: String) -> HTML {
        switch verdict {
        case "passed", "ok", "improved": Badge(verdict, .good).html
        case "failed", "regressed": Badge(verdict, .danger).html
        default: Badge(verdict, .warning).html
        }
    }
}
