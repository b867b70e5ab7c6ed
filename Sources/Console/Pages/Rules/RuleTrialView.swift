import Conversation

/// Result of the active rules for one sentence, screened as a patient's message and as a model's reply.
struct RuleTrialView: Sendable {
    let sentence: String
    let screening: Screening
    let decision: Decision
    let output: OutputVerdict
    let call: ConsoleCall

    /// Form for a sentence.
    ///
    /// It is posted, so that the sentence does not appear in an address.
    static func form(_ sentence: String, _ call: ConsoleCall) -> HTML {
        let field = Field(
            "sentence",
            "A sentence, as a patient or a model would say it",
            value: sentence,
            isRequired: true
        )
        return call.form(
            to: ConsolePath("rules", "try"),
            "\(field.html)<div class=\"buttons\"><button type=\"submit\">What fires?</button></div>"
        )
    }

    var html: HTML {
        """
        <section class="panel">\(Self.form(sentence, call))</section>
        <h2>As a patient's words</h2>
        <p class="tried"><bdi>\(MarkedText(sentence, marks).html)</bdi></p>
        <dl class="facts"><dt>Level</dt><dd>\(Badge(decision.level).html)</dd>\
        <dt>Line that is said</dt><dd>\(line)</dd><dt>Alerts</dt><dd>\(alerts)</dd>\(failures)</dl>
        \(findings)
        <h2>As a model's words</h2><p>\(spoken)</p>
        <p class="quiet">Rules alone look here; the detector reads whole turns.</p>
        """
    }

    private var marks: [MarkedText.Mark] {
        screening.findings.filter { $0.level > .none }.map { MarkedText.Mark($0.span, $0.rule) }
    }

    private var line: HTML {
        if let reply = decision.canned {
            return "“\(reply.text)”\(reply.asks ? " and waits for an answer" : "")"
        }
        return decision.warnsOfScam ? "the model's, behind the scam line" : "none; the model answers"
    }

    private var alerts: HTML {
        guard !decision.alerts.isEmpty else { return "none" }
        return decision.alerts.map { "\(Badge($0.level).html) \(AlertWords.name(of: $0.category)) " as HTML }.joined
    }

    private var failures: HTML {
        guard !screening.failures.isEmpty else { return "" }
        return "<dt>Did not look</dt><dd>\(screening.failures.joined(separator: ", "))</dd>"
    }

    private var findings: HTML {
        var table = Table("What fired", columns: ["Rule", "Level", "Category", "Words", "Weighed"])
        let bytes = Array(sentence.utf8)
        for finding in screening.findings {
            let words = String(decoding: bytes[finding.span.clamped(to: 0..<bytes.count)], as: UTF8.self)
            table.add(
                "<a href=\"\(ConsolePath("rules", finding.rule))\">\(finding.rule)</a>",
                Badge(finding.level).html,
                "\(AlertWords.name(of: finding.category))",
                "<bdi>\(words)</bdi>",
                "\(weighed(finding))"
            )
        }
        return table.html(ifEmpty: "No rule fires.")
    }

    private func weighed(_ finding: Finding) -> String {
        var facts: [String] = []
        if finding.isNegated { facts.append("denied") }
        if finding.subject == .other { facts.append("somebody else") }
        if finding.tense == .past { facts.append("past") }
        if finding.level == .none { facts.append("let go") }
        return facts.isEmpty ? "as it stands" : facts.joined(separator: ", ")
    }

    private var spoken: HTML {
        switch output {
        case .pass: "It may be said."
        case .rewrite(let text): "It may be said as “\(text)”."
        case .drop(let rule): "It is left out: <a href=\"\(ConsolePath("rules", rule))\">\(rule)</a>."
        case .end(let rule): "The reply ends before it: <a href=\"\(ConsolePath("rules", rule))\">\(rule)</a>."
        case .replace(let line, let rule):
            "The reply becomes “\(line.text)”: <a href=\"\(ConsolePath("rules", rule))\">\(rule)</a>."
        }
    }
}
