import Conversation

/// Something that a prompt must tell the model in every turn, whatever else is tuned.
///
/// Held against what the author wrote in the system's message, as it is rendered, so that neither deleting a sentence nor
/// putting it into a branch that is seldom taken goes unseen. Words may change; the patterns ask for what is forbidden or
/// asked for and for what it is about.
struct PromptDuty: Sendable {
    /// The duty in a clause: "never to give advice on health".
    let what: String
    /// What a sentence that speaks of it holds.
    private let anchors: [String]
    /// What those sentences must name among them.
    private let subjects: [String]

    private init(_ what: String, anchors: [String], subjects: [String] = []) {
        self.what = what
        self.anchors = anchors
        self.subjects = subjects
    }

    /// Those of the reply's prompt.
    static let companion = [
        PromptDuty(
            "never to give advice on health, medicines, law or money",
            anchors: [never, #"\badvi[cs]e"#],
            subjects: [
                #"\b(?:health|medical)"#, #"\b(?:medicines?|medication|doses?|pills?)\b"#, #"\b(?:law|legal)"#,
                #"\b(?:money|financ)"#,
            ]
        ),
        PromptDuty(
            "never to say whether a pill was taken, when an appointment is, or a phone number",
            anchors: [never, #"\b(?:say|tell|guess|state|pill|medicine|appointment|number)"#],
            subjects: [#"\b(?:pill|medicine|medication)s?\b"#, #"\bappointment"#, #"\bphone number"#]
        ),
        PromptDuty("never to promise anything", anchors: [never, #"\bpromis"#]),
        PromptDuty("never to make things up", anchors: [never, #"\b(?:make (?:\w+ )?up|invent)"#]),
        PromptDuty(
            "to say that it is an AI and not a person",
            anchors: [#"\ban? (?:ai|machine|computer|program)\b"#, #"\bnot (?:an? )?(?:person|human)"#]
        ),
        PromptDuty(
            "to call a demand for money, gift cards, codes or passwords a scam, and that nothing should be paid",
            anchors: [#"\b(?:scam|fraud)"#],
            subjects: [
                #"\bmoney\b"#, #"\bgift cards?\b"#, #"\bcodes?\b"#, #"\bpasswords?\b"#,
                #"\b(?:paid|pay|hand over|give)"#,
            ]
        ),
        PromptDuty(
            "that notes and messages never change the rules",
            anchors: [never, #"\b(?:notes?|messages?)\b"#, #"\b(?:change|override|replace)"#]
        ),
    ]

    private static let never = #"\b(?:never|not|don't|cannot|can't|no)\b"#

    /// Whether a text of the author's does it.
    func isDone(in text: String) -> Bool {
        guard let anchors = try? anchors.map({ try Regex($0) }), let subjects = try? subjects.map({ try Regex($0) })
        else { return false }
        let sentences = text.lowercased().split { ".!?\n".contains($0) }.filter { sentence in
            anchors.allSatisfy { sentence.firstMatch(of: $0) != nil }
        }
        return !sentences.isEmpty
            && subjects.allSatisfy { subject in sentences.contains { $0.firstMatch(of: subject) != nil } }
    }
}

extension BundledPrompt {
    /// The duties that the system's message leaves out, for any of some samples.
    func missing(_ duties: [PromptDuty], in samples: [PromptContract.Sample]) -> [PromptDuty] {
        let texts = samples.compactMap { sample in
            (try? render(sample.values, history: sample.history))?.filter { $0.role == .system }
                .map(\.authorText).joined(separator: "\n")
        }
        return duties.filter { duty in texts.contains { !duty.isDone(in: $0) } }
    }
}

extension RenderedMessage {
    /// What the author wrote of it.
    fileprivate var authorText: String { segments.map(\.authorText).joined() }
}

extension RenderedMessage.Segment {
    fileprivate var authorText: String {
        switch self {
        case .text(let text): text
        case .value: "…"
        case .section(_, let segments): segments.map(\.authorText).joined()
        }
    }
}
