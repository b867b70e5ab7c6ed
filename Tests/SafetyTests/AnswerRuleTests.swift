import Domain
import Testing

@testable import Safety

/// The table of what an answer means, from the probabilities of the whole and of its sentences.
struct AnswerRuleTests {
    private typealias Parts = [[AnswerReading: Double]]

    private static let limits = AnswerLimits([
        .done: 0.8, .surelyDone: 0.95, .later: 0.6, .skipped: 0.6, .surelySkipped: 0.85, .asked: 0.4, .doubted: 0.1,
        .nothing: 0.9,
    ])
    private static let wordLimits = AnswerLimits([
        .done: 0.8, .surelyDone: 0.9, .later: 0.6, .skipped: 0.6, .surelySkipped: 0.7, .asked: 0.4, .doubted: 0.2,
        .nothing: 0.9,
    ])

    /// A case of the table; `words` is nil where the message has no vector.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var isMedicine = true
        let whole: [AnswerReading: Double]
        var words: [AnswerReading: Double]? = [.done: 0.99]
        var sentences: [[AnswerReading: Double]] = []
        let reading: AnswerReading?

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "both are sure", whole: [.done: 0.97], reading: .surelyDone),
        Case(name: "the words are not sure", whole: [.done: 0.97], words: [.done: 0.85], reading: .done),
        Case(name: "the whole is not sure", whole: [.done: 0.9], reading: .done),
        Case(name: "there is no vector", whole: [.done: 0.99], words: nil, reading: .done),
        Case(name: "later", whole: [.later: 0.7], reading: .later),
        Case(name: "skipped", whole: [.skipped: 0.7], words: [.skipped: 0.9], reading: .skipped),
        Case(name: "both are sure of a skip", whole: [.skipped: 0.9], words: [.skipped: 0.75], reading: .surelySkipped),
        Case(name: "the words doubt a skip", whole: [.skipped: 0.99], words: [.skipped: 0.65], reading: .skipped),
        Case(name: "a skip without a vector", whole: [.skipped: 0.99], words: nil, reading: .skipped),
        Case(
            name: "words that are sure of something else",
            whole: [.skipped: 0.9],
            words: [.done: 0.99],
            reading: .skipped
        ),
        Case(name: "asked", whole: [.asked: 0.5], reading: .asked),
        Case(name: "nothing", whole: [.nothing: 0.95], reading: .nothing),
        Case(name: "the likelier of two", whole: [.asked: 0.41, .later: 0.59], reading: .asked),
        Case(name: "a little doubt", whole: [.done: 0.88, .doubted: 0.12], reading: .doubted),
        Case(name: "two doubts add up", whole: [.done: 0.88, .doubted: 0.05, .uncertain: 0.07], reading: .uncertain),
        Case(
            name: "doubt in a sentence",
            whole: [.done: 0.97],
            sentences: [[.done: 0.9], [.uncertain: 0.5]],
            reading: .uncertain
        ),
        Case(name: "doubt of no medicine", isMedicine: false, whole: [.done: 0.85, .doubted: 0.15], reading: .done),
        Case(
            name: "a remark beside it",
            whole: [.done: 0.97],
            sentences: [[.nothing: 0.95], [.done: 0.9]],
            reading: .surelyDone
        ),
        Case(
            name: "only a sentence says it",
            whole: [.nothing: 0.95],
            sentences: [[.nothing: 1], [.later: 0.7]],
            reading: .later
        ),
        Case(
            name: "only a sentence says done",
            whole: [.later: 0.4],
            sentences: [[.nothing: 1], [.done: 0.9]],
            reading: .done
        ),
        Case(
            name: "a medicine is asked about where sentences contradict",
            whole: [.later: 0.7],
            sentences: [[.done: 0.9], [.later: 0.9]],
            reading: .done
        ),
    ])
    func `a meaning is read from what is probable enough`(one: Case) {
        #expect(read(one) == one.reading)
    }

    @Test(arguments: [
        Case(name: "nothing is probable", whole: [.done: 0.5, .later: 0.5], reading: nil),
        Case(name: "just below every limit", whole: [.done: 0.79, .nothing: 0.09], reading: nil),
        Case(name: "no number at all", whole: [:], words: [:], reading: nil),
        Case(
            name: "another reminder is left alone where sentences contradict",
            isMedicine: false,
            whole: [.done: 0.97],
            sentences: [[.done: 0.9], [.skipped: 0.9]],
            reading: nil
        ),
        Case(
            name: "two postponements that differ",
            whole: [.later: 0.7],
            sentences: [[.skipped: 0.9], [.later: 0.9]],
            reading: nil
        ),
        Case(
            name: "sentences that differ, where the whole says nothing",
            isMedicine: false,
            whole: [.nothing: 0.95],
            sentences: [[.done: 0.9], [.later: 0.9]],
            reading: nil
        ),
        Case(name: "a doubt that is too small", whole: [.doubted: 0.09, .done: 0.5], reading: nil),
        Case(
            name: "a doubt in a sentence that is too small",
            whole: [:],
            sentences: [[.doubted: 0.3], [:]],
            reading: nil
        ),
    ])
    func `what is improbable or contradicts itself stays unclear`(one: Case) {
        #expect(read(one) == one.reading)
    }

    private func read(_ one: Case) -> AnswerReading? {
        AnswerRule(limits: Self.limits, wordLimits: Self.wordLimits, isMedicine: one.isMedicine).reading(
            whole: AnswerShares(one.whole),
            words: one.words.map { AnswerShares($0) },
            sentences: one.sentences.map { AnswerShares($0) }
        )
    }
}
