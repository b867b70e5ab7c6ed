package import Conversation

/// The reading of an answer to a question about somebody's state.
///
/// A good answer is a plain one: a "no" or "I'm fine" with nothing else of weight in it. A worse answer begins with the
/// worse word, and the rest of it is plain or tells of harm: "Yes, my head hurts", and not "Yes, I took the bus".
package struct CheckAnswer: Sendable, Equatable {
    /// The yes or no that it begins with; nil when it begins with neither.
    package let opening: Bool?
    /// Whether it says that all is well.
    package let saysWell: Bool
    /// Whether it tells of harm that it does not deny.
    package let tellsOfHarm: Bool
    /// Whether nothing in it is left that was not understood.
    package let isPlain: Bool

    /// Reads an answer; 20 µs for a spoken sentence.
    package init(_ said: String, about category: Category) {
        let words = AnswerWords(said)
        let weight = AnswerWeight(words, isNarrow: category == .selfHarm)
        opening = words.opening
        tellsOfHarm = weight.isFound
        saysWell = words.hold(AnswerWords.well)
        isPlain = !weight.isFound && (words.arePlain(apartFrom: weight.denied) || words.isAffirmation)
    }

    /// Its meaning as the answer to a question of which one answer is the worse; nil when it is no answer.
    ///
    /// - Parameter heedsHarm: Whether the better word with harm behind it is the worse answer: "No, my head hurts". It is
    ///   not where the worse answer raises to critical, which takes a plain word or evidence of its own.
    func meaning(_ worse: WorseAnswer, heedsHarm: Bool = false) -> QuestionAnswer.Meaning? {
        let isGood = isPlain && saysWell
        switch (worse, opening) {
        case (.yes, true?), (.no, false?):
            if isGood { return nil }
            return isPlain || tellsOfHarm ? .worse : nil
        case (.yes, false?), (.no, true?): return isPlain ? .better : tellsOfHarm && heedsHarm ? .worse : nil
        case (.none, _), (_, nil): return isGood ? .better : nil
        }
    }
}
