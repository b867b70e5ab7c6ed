package import Conversation

/// The interpretation of an answer to a question about somebody's state.
///
/// A good answer is plain: "no" or "I'm fine" with nothing of weight beside it. A worse answer begins with the worse
/// word and continues plainly or with harm. "Yes, my head hurts" is one; "Yes, I took the bus" is not.
package struct CheckAnswer: Sendable, Equatable {
    /// The yes or no at the beginning of the answer; nil when there is none.
    package let opening: Bool?
    /// True if the answer says that all is well.
    package let saysWell: Bool
    /// True if the answer tells of harm that it does not deny.
    package let tellsOfHarm: Bool
    /// True if every word of the answer was understood.
    package let isPlain: Bool

    /// Reads an answer; a spoken sentence costs 20 µs.
    package init(_ said: String, about category: Category) {
        let words = AnswerWords(said)
        let weight = AnswerWeight(words, isNarrow: category == .selfHarm)
        opening = words.opening
        tellsOfHarm = weight.isFound
        saysWell = words.hold(AnswerWords.well)
        isPlain = !weight.isFound && (words.arePlain(apartFrom: weight.denied) || words.isAffirmation)
    }

    /// The answer's meaning for a question with one worse answer; nil when it is no answer.
    ///
    /// - Parameter heedsHarm: True if the better word followed by harm is the worse answer: "No, my head hurts". False
    ///   where the worse answer raises the level to critical, which needs a plain word or evidence of its own.
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
