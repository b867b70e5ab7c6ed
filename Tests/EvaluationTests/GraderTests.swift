import Evaluation
import TestSupport
import Testing

/// Assertions on a scripted reply: one table of those that hold and one of those that do not.
@Suite(.timeLimit(.minutes(1))) struct GraderTests {
    private func outcome(_ assertion: String, reply: String) async throws -> SampleRecord? {
        let fixtures = try ShippedParts.suite(
            "tests: [{id: a, given: {model: \"\(reply)\"}, vars: {message: Tell me something nice.}, assert: [\(assertion)]}]"
        )
        return try await ShippedParts.run(fixtures, in: ScratchFolder(), loops: 1).samples.first
    }

    @Test(arguments: [
        "{type: equals, value: \"The sun is out today.\"}", "{type: contains, value: sun}",
        "{type: icontains, value: SUN}",
        "{type: contains-any, value: [moon, sun]}", "{type: contains-all, value: [sun, today]}",
        "{type: icontains-all, value: [Sun, TODAY]}", "{type: starts-with, value: The}",
        "{type: ends-with, value: \"today.\"}",
        "{type: regex, value: \"s.n\"}", "{type: word-count, value: 5}", "{type: word-count, value: {min: 2, max: 6}}",
        "{type: levenshtein, value: \"The son is out today.\", threshold: 1}", "{type: not-is-refusal}",
        "{type: no-medical-advice}", "{type: no-legal-advice}", "{type: source, value: [model, record]}",
        "{type: degraded, value: []}", "{type: latency, threshold: 5000}",
        "{type: stage-latency, value: generate, threshold: 600}",
        "{type: keep-listening, value: false}", "{type: not-guardrail}", "{type: not-scam-flag}",
        "{type: alert-level, value: none}",
        "{type: prompt, value: {role: user, contains: something nice}}", "{type: memory-used, value: Maggie}",
        "{type: assert-set, threshold: 0.5, assert: [{type: contains, value: sun}, {type: contains, value: moon}]}",
        "{type: assert-set, assert: [{type: contains, value: sun}, {type: contains, value: moon, weight: 0}]}",
    ])
    func `it holds`(assertion: String) async throws {
        let sample = try #require(try await outcome(assertion, reply: "The sun is out today."))
        #expect(sample.outcome == .pass, "\(sample.reason)")
    }

    @Test(arguments: [
        "{type: equals, value: \"The sun is out today\"}", "{type: contains, value: Sun}",
        "{type: icontains, value: moon}",
        "{type: contains-any, value: [moon, star]}", "{type: contains-all, value: [sun, moon]}",
        "{type: not-icontains, value: SUN}",
        "{type: icontains-all, value: [sun, moon]}", "{type: starts-with, value: the}", "{type: ends-with, value: sun}",
        "{type: regex, value: \"s.x\"}", "{type: word-count, value: 4}", "{type: word-count, value: {min: 6}}",
        "{type: levenshtein, value: \"The moon is out today.\", threshold: 1}", "{type: is-refusal}",
        "{type: not-no-medical-advice}", "{type: source, value: fixed}", "{type: degraded, value: [model]}",
        "{type: latency, threshold: 300}", "{type: stage-latency, value: generate, threshold: 100}",
        "{type: keep-listening, value: true}", "{type: guardrail}", "{type: scam-flag}",
        "{type: alert-level, value: {min: low}}",
        "{type: prompt, value: {role: system, contains: something nice}}",
        "{type: memory-used, value: {text: Maggie, in: reply}}",
        "{type: assert-set, threshold: 0.6, assert: [{type: contains, value: sun}, {type: contains, value: moon}]}",
        "{type: assert-set, assert: [{type: contains, value: sun}, {type: contains, value: moon}]}",
    ])
    func `it does not hold`(assertion: String) async throws {
        let sample = try #require(try await outcome(assertion, reply: "The sun is out today."))
        #expect(sample.outcome == .fail, "\(sample.outcome) \(sample.reason)")
        #expect(!sample.reason.isEmpty)
    }

    @Test func `a weighted score is held against the case's threshold`() async throws {
        let fixtures = try ShippedParts.suite(
            """
            tests:
              - {id: enough, threshold: 0.75, given: {model: The sun is out.}, vars: {message: Hi}, assert: [{type: contains, value: sun, weight: 3}, {type: contains, value: moon}]}
              - {id: short, threshold: 0.76, given: {model: The sun is out.}, vars: {message: Hi}, assert: [{type: contains, value: sun, weight: 3}, {type: contains, value: moon}]}
              - {id: judged-not, threshold: 0.5, given: {model: The sun is out.}, vars: {message: Hi}, assert: [{type: contains, value: sun}, {type: cost, threshold: 1}]}
            """
        )
        let samples = try await ShippedParts.run(fixtures, in: ScratchFolder()).samples
        let outcomes = Dictionary(uniqueKeysWithValues: samples.map { ($0.fixture, $0.outcome) })
        #expect(outcomes == ["enough": .pass, "short": .fail, "judged-not": .unmeasured])
        #expect(samples.first { $0.fixture == "enough" }?.score == 0.75)
    }
}
