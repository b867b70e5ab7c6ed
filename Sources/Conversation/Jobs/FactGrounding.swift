/// Whether what a patient said bears out a fact that a model found in it.
///
/// Models invent. A fact is kept only when its words are the patient's: every number and name, at least half of its
/// content words, and three quarters where a wrong fact could harm. They must come from a statement, not a question, that
/// is negated if the fact is and not otherwise; and one about somebody else is not a fact about the patient.
package struct FactGrounding: Sendable {
    private let clauses: [Clause]
    private let said: [String]
    private let patientName: [String]

    /// Takes what the patient said, and the name that is not expected in it.
    package init(said: String, by patientName: String) {
        clauses = Clause.clauses(of: said)
        self.said = clauses.flatMap(\.words)
        self.patientName = FactWord.words(in: patientName).map(\.folded)
    }

    /// Whether a fact may be stored.
    package func supports(_ fact: FactReading.Candidate) -> Bool {
        let words = FactWord.words(in: fact.text).filter { !patientName.contains($0.folded) }
        let content = words.filter(\.isContent)
        let shared = content.filter { word in said.contains { word.isForm(of: $0) } }
        guard !shared.isEmpty, isGrounded(words, content.count, shared.count, fact.kind) else { return false }
        return clauses.contains { clause in clause.states(shared, negated: Negation.isIn(words), fact) }
    }

    private func isGrounded(_ words: [FactWord], _ content: Int, _ shared: Int, _ kind: Fact.Kind) -> Bool {
        let mustBeSaid = words.filter { $0.isNumber || $0.isName }
        guard mustBeSaid.allSatisfy({ word in said.contains { word.isForm(of: $0) } }) else { return false }
        return kind.isProtected || kind == .condition ? shared * 4 >= content * 3 : shared * 2 >= content
    }
}

/// A part of what was said that stands for itself.
private struct Clause {
    let words: [String]
    let isQuestion: Bool
    let isNegated: Bool

    /// The clauses of a text: its sentences, divided at commas, semicolons and words that oppose.
    static func clauses(of text: String) -> [Clause] {
        sentences(of: text).flatMap { sentence, isQuestion in
            sentence.split { ",;:—–()".contains($0) }.flatMap { part in
                FactWord.words(in: String(part)).split { opposing.contains($0.folded) }.map { words in
                    Clause(words: words.map(\.folded), isQuestion: isQuestion, isNegated: Negation.isIn(words))
                }
            }
        }
    }

    /// Whether the clause states what a fact says with some of these words, about whom the fact says it.
    func states(_ shared: [FactWord], negated: Bool, _ fact: FactReading.Candidate) -> Bool {
        guard !isQuestion, isNegated == negated else { return false }
        guard shared.contains(where: { word in words.contains { word.isForm(of: $0) } }) else { return false }
        guard fact.kind.isProtected || fact.kind == .condition, fact.kind != .contact else { return true }
        let named = FactWord.words(in: fact.subject + " " + fact.text)
        let others = words.filter(FactWord.others.contains)
        return others.allSatisfy { other in named.contains { $0.isForm(of: other) } }
    }

    private static let opposing: Set<String> = ["but", "however", "although", "pero", "aunque", "sino"]

    private static func sentences(of text: String) -> [(String, isQuestion: Bool)] {
        var sentences: [(String, isQuestion: Bool)] = []
        var sentence = ""
        for character in text {
            guard ".!?…\n".contains(character) else {
                sentence.append(character)
                continue
            }
            sentences.append((sentence, character == "?"))
            sentence = ""
        }
        return sentences + [(sentence, sentence.contains("¿"))]
    }
}

/// Words that turn a statement round.
private enum Negation {
    private static let words: Set<String> = [
        "no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "cant", "dont", "doesnt", "didnt", "isnt",
        "wasnt", "wont", "nunca", "jamas", "ni", "nadie", "nada", "sin", "tampoco", "ninguno", "ninguna",
    ]

    static func isIn(_ said: some Sequence<FactWord>) -> Bool {
        said.contains { words.contains($0.folded) || $0.folded.hasSuffix("n't") }
    }
}
