import Conversation
import Runtime

/// A turn as a row of the live page.
struct LiveRow: Sendable {
    private let observed: ObservedTurn
    private let masking: Masking

    init(_ observed: ObservedTurn, _ masking: Masking) {
        self.observed = observed
        self.masking = masking
    }

    var html: HTML {
        let turn = observed.turn
        let reply = observed.reply
        let link = ConsolePath("turns", turn.patient.description, reply.message.description)
        let name = masking.name(observed.patient?.name ?? "unknown", of: turn.patient)
        return """
            <tr data-patient="\(turn.patient) \(name)" data-level="\(reply.level.rawValue)" \
            data-bundle="\(reply.promptVersion)"><th scope="row"><a href="\(link)">\(Figure.time(observed.date))</a>\
            <span class="who">\(name)</span></th>\
            <td class="words"><p>\(masking.words(turn.text))</p><p class="answer">\(masking.words(reply.text))</p></td>\
            <td>\(Badge(reply.level).html)</td><td>\(StageChart(observed.spans, elapsed: observed.elapsed).html)\
            <span class="took">\(Figure.milliseconds(observed.elapsed))</span></td><td>\(notes)</td></tr>
            """
    }

    /// Badges of a turn: source, release arm, flags and degraded parts.
    private var notes: HTML {
        let reply = observed.reply
        let degraded = reply.degraded.map { Badge("without \($0.rawValue)", .warning).html }
        let flags = reply.flags.map { Badge($0, .notice).html }
        let arm = observed.arm.map { Badge($0).html }
        let source = Badge(reply.source.rawValue.replacing("_", with: " ")).html
        return "\(source) \(arm) \(flags) \(degraded) <span class=\"quiet\">\(reply.promptVersion)</span>"
    }
}
