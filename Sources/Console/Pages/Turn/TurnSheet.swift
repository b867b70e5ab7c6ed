import Conversation
import Foundation
import Runtime

/// Renders a turn in detail.
struct TurnSheet: Sendable {
    private let record: TurnRecord
    private let prompt: Prompt?
    private let elapsed: Duration
    private let masking: Masking
    private let hasActions: Bool

    /// Creates a sheet.
    ///
    /// - Parameters:
    ///   - prompt: The prompt that was sent; nil if there was none or it is no longer kept.
    ///   - elapsed: Duration of the turn.
    ///   - hasActions: Whether the page shows actions below.
    init(_ record: TurnRecord, prompt: Prompt?, elapsed: Duration, _ masking: Masking, hasActions: Bool) {
        self.hasActions = hasActions
        self.record = record
        self.prompt = prompt
        self.elapsed = elapsed
        self.masking = masking
    }

    var html: HTML {
        """
        \(summary)<section class="panel"><h2>What was said</h2><p class="said">\(said)</p>\(findings)</section>\
        <section class="panel"><h2>What was answered</h2><p class="said">\(answered)</p>\(facts)</section>\
        <section><h2>Where the time went</h2>\(StageChart(record.spans, elapsed: elapsed).html)\(stages)</section>\
        <section><h2>What was remembered and recalled</h2>\(remembered)\(memories)</section>\
        <section><h2>What the model said, and what the screens made of it</h2>\(calls)</section>\
        <section><h2>The prompt as it was sent</h2>\(sent)</section>
        """
    }

    private var summary: HTML {
        let who = masking.name(record.patient.name, of: record.patient.id)
        return """
            <p>\(who), \(Figure.time(record.message.spokenAt)) \(Badge(record.message.level).html)</p>\
            <p class="buttons">\(link(record.neighbours.before, "Turn before"))\(link(record.neighbours.after, "Turn after"))\(actions)</p>
            """
    }

    private var actions: HTML? {
        hasActions ? "<a class=\"button plain\" href=\"#actions\">Replay, or make a fixture</a>" : nil
    }

    private func link(_ message: MessageID?, _ words: String) -> HTML? {
        guard let message else { return nil }
        let path = ConsolePath("turns", record.patient.id.description, message.description)
        return "<a class=\"button plain\" href=\"\(path)\">\(words)</a>"
    }

    /// The message with its findings highlighted.
    private var said: HTML {
        let marks = record.findings.filter { $0.level > .none }.map {
            MarkedText.Mark($0.span, "\($0.rule), \($0.level)")
        }
        return masking.marked(record.message.said, marks)
    }

    private var findings: HTML {
        var table = Table("What fired", columns: ["Rule or detector", "Level", "Words", "Weighed as"])
        for finding in record.findings {
            table.add(
                "<code>\(finding.rule)</code>",
                "\(Badge(finding.level).html) \(finding.category.rawValue)",
                "\(masking.words(words(in: finding.span)))",
                "\(weighing(finding))"
            )
        }
        return table.html(ifEmpty: "Nothing was found.")
    }

    private func words(in span: Range<Int>) -> String {
        let bytes = Array(record.message.said.utf8)
        return String(decoding: bytes[span.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    private func weighing(_ finding: Finding) -> String {
        let parts = [
            finding.level == .none ? "let go" : "", finding.isNegated ? "denied" : "",
            finding.subject == .other ? "about another" : "", finding.tense == .past ? "past" : "",
            finding.confidence < 1 ? "sure to \(Figure.percent(Int(finding.confidence * 1_000), of: 1_000))" : "",
        ]
        let shown = parts.filter { !$0.isEmpty }
        return shown.isEmpty ? "as it stands" : shown.joined(separator: ", ")
    }

    private var answered: HTML {
        guard let text = record.message.answered else { return "No reply was stored." }
        return masking.marked(text, [])
    }

    private var facts: HTML {
        guard let reply = record.reply else { return "" }
        return ReplyFacts(reply: reply, making: record.making, elapsed: elapsed).html
    }

    private var stages: HTML {
        var table = Table(
            "Stages in the order in which they began",
            columns: ["Stage", "Began", "Took", "Ended", "Note"]
        )
        for span in record.spans {
            table.add(
                "\(StageWords.name(of: span.stage)) <span class=\"quiet\">\(span.stage)</span>",
                "\(Figure.milliseconds(span.start))",
                "\(Figure.milliseconds(span.duration))",
                "\(span.outcome == .ok ? HTML(text: "well") : Badge(span.outcome.rawValue, .warning).html)",
                "\(span.note)"
            )
        }
        return table.html(ifEmpty: "The ledger of this turn was not kept.")
    }

    private var remembered: HTML {
        guard let making = record.making else { return "<p class=\"quiet\">This was not kept with the turn.</p>" }
        guard let facts = making.facts else { return "<p>Memory could not be read in time.</p>" }
        let parts = [
            Figure.count(facts, "fact"), Figure.count(making.exchanges, "earlier turn"),
            Figure.count(making.reminders, "reminder"),
        ]
        return "<p>\(parts.joined(separator: ", ")) in force.</p>"
    }

    private var memories: HTML {
        var table = Table("Recalled, the nearest first", columns: ["Score", "What was said then", "When", "Found by"])
        for memory in record.memories {
            table.add(
                "\(Double(memory.score).formatted(.number.precision(.fractionLength(3)).locale(.init(identifier: "en_US"))))",
                "\(memory.text.map(masking.words) ?? "forgotten since")",
                "\(memory.saidAt.map(Figure.time))",
                "\(memory.isExact ? "an exact word" : "meaning")"
            )
        }
        return table.html(ifEmpty: "Nothing was recalled.")
    }

    private var calls: HTML {
        guard let making = record.making else { return "<p class=\"quiet\">This was not kept with the turn.</p>" }
        guard !making.calls.isEmpty else { return "<p>No model was asked.</p>" }
        return making.calls.map(CallSheet(masking: masking).html).joined
    }

    private var sent: HTML {
        guard let prompt else {
            let why =
                record.making?.calls.isEmpty == true
                ? "No model was asked, so there was no prompt."
                : "Not kept: a replica keeps the prompts of its last thousand turns, and this is none of them."
            return "<p class=\"quiet\">\(why)</p>"
        }
        return PromptSheet(prompt: prompt, masking: masking).html
    }
}
