import Testing

@testable import Conversation
@testable import Domain

/// Verdicts read from a model's second look.
@Suite struct ModelVerdictTests {
    @Test(arguments: [
        ("none", Level.none, Domain.Category?.none), ("None.", .none, nil), (" none \n", .none, nil),
        ("high fall", .high, .fall), ("critical cardiac", .critical, .cardiac), ("HIGH self_harm.", .high, .selfHarm),
        ("medium, nutrition", .medium, .nutrition), ("\n\nlow distress\n", .low, .distress),
        ("high: other_medical", .high, .otherMedical),
    ])
    func `one line with a level and a category is a verdict`(
        answer: String,
        level: Level,
        category: Domain.Category?
    ) {
        #expect(ModelVerdict(answer: answer) == ModelVerdict(level: level, category: category))
    }

    @Test(arguments: [
        "", "   \n", "high", "fall", "fall high", "none fall", "high none", "severe fall", "high trip", "high fall now",
        "I think this is high fall", "high fall\nnone", "none\nnone", "critical system_degraded",
        "high emergency_button",
        "high inactivity", "{\"level\":\"high\",\"category\":\"fall\"}", "5",
    ])
    func `anything else is none, and is not guessed at`(answer: String) {
        #expect(ModelVerdict(answer: answer) == nil)
    }
}
