package import Conversation

/// What the screens say of one text, for `hearth screen`: no server and no database.
package struct ScreenVerdict: Sendable, Equatable, Encodable {
    /// Whether it tells of a scam.
    package struct Scam: Sendable, Equatable, Encodable {
        package let flag: Bool
        package let score: Double
        package let rule: String?
    }

    /// How soon a human must know, and of what.
    package struct Alert: Sendable, Equatable, Encodable {
        package let level: Level
        package let category: Conversation.Category?
        package let rule: String?
    }

    /// Whether a companion who said it would give a dose, a diagnosis, or directions in law or money.
    package struct Advice: Sendable, Equatable, Encodable {
        package let flag: Bool
    }

    /// What the output screen would make of the text if a model had written it.
    package struct Spoken: Sendable, Equatable, Encodable {
        /// "pass", "rewrite", "drop", "end" or "replace".
        package let verdict: String
        /// The rule that decided; nil for a text that may be said.
        package let rule: String?

        init(_ output: OutputVerdict) {
            switch output {
            case .pass: (verdict, rule) = ("pass", nil)
            case .rewrite: (verdict, rule) = ("rewrite", nil)
            case .drop(let name), .harm(let name), .doubt(_, let name): (verdict, rule) = ("drop", name)
            case .end(let name): (verdict, rule) = ("end", name)
            case .replace(_, let name): (verdict, rule) = ("replace", name)
            }
        }
    }

    /// The text's name in the input.
    package let id: String
    package let scam: Scam
    package let alert: Alert
    package let advice: Advice
    /// The parts of the screen that did not look; nil when all did.
    package let degraded: [String]?
    /// Every finding with its span and its guards; nil unless they were asked for.
    package let findings: [Finding]?
    /// The grounds that it treads on, on which a reply is held to stricter rules; nil unless they were asked for.
    package let grounds: [String]?
    /// What the output screen would make of it in the open posture; nil unless asked for.
    package let output: Spoken?
    /// What the detector makes of it, with the n-grams that weighed most; nil unless asked for.
    package let detector: DetectorAccount?

    /// Says what a screening and an output verdict come to.
    ///
    /// - Parameters:
    ///   - likeliestHarm: The harm of the text, were a reply to do one; nil for a bundle without a detector.
    ///   - account: What the detector makes of it; nil when it did not look.
    package init(
        id: String,
        _ screening: Screening,
        _ output: OutputVerdict,
        likeliestHarm: ReplyHarm?,
        account: DetectorAccount? = nil,
        explains: Bool
    ) {
        self.id = id
        let scams = screening.findings.filter { $0.category == .scam && $0.level > .none }
        let surest = scams.max { $0.confidence < $1.confidence }
        scam = Scam(flag: surest != nil, score: surest?.confidence ?? 0, rule: surest?.rule)
        let gravest = screening.findings.first { $0.level > .none }
        alert = Alert(level: gravest?.level ?? .none, category: gravest?.category, rule: gravest?.rule)
        switch output {
        case .pass, .rewrite: advice = Advice(flag: false)
        case .replace: advice = Advice(flag: true)
        case .drop, .end:
            let advising: [ReplyHarm] = [.dose, .diagnosis, .legalFinancial]
            advice = Advice(flag: likeliestHarm.map(advising.contains) ?? false)
        }
        degraded = screening.failures.isEmpty ? nil : screening.failures
        findings = explains ? screening.findings : nil
        grounds = explains ? screening.grounds.map(\.rawValue).sorted() : nil
        self.output = explains ? Spoken(output) : nil
        detector = explains ? account : nil
    }
}
