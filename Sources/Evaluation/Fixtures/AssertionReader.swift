import Conversation
import Foundation
import YAML

/// Reads assertions as promptfoo writes them, and ours; what it does not know it refuses with file and line.
struct AssertionReader {
    /// Every supported type.
    static let types = [
        "alert-level", "assert-set", "contains", "contains-all", "contains-any", "cost", "degraded", "ends-with",
        "equals", "guardrail", "icontains", "icontains-all", "icontains-any", "is-refusal", "keep-listening", "latency",
        "levenshtein", "llm-rubric", "memory-used", "no-legal-advice", "no-medical-advice", "prompt", "regex",
        "scam-flag", "source", "stage-latency", "starts-with", "word-count",
    ]
    private static let keys = ["type", "value", "threshold", "weight", "metric", "assert", "description"]

    /// What `{{name}}` stands for in a value.
    let variables: [String: String]

    /// Reads a sequence of assertions; none when the node is absent.
    func assertions(_ node: YAMLNode?) throws(FixtureError) -> [Assertion] {
        guard let node else { return [] }
        var assertions: [Assertion] = []
        for item in try reading({ () throws(YAMLError) in try node.sequence() }) {
            assertions.append(try assertion(item))
        }
        return assertions
    }

    private func assertion(_ node: YAMLNode) throws(FixtureError) -> Assertion {
        let mapping = try reading { () throws(YAMLError) in
            let mapping = try node.mapping()
            try mapping.refuseKeys(except: Self.keys)
            return mapping
        }
        let written = try reading { () throws(YAMLError) in try mapping.string("type") }
        let isNegated = written.hasPrefix("not-")
        let type = isNegated ? String(written.dropFirst(4)) : written
        guard Self.types.contains(type) else {
            throw .unsupportedAssertion(at: mapping["type"]?.position ?? node.position, type: written)
        }
        let weight = try number(mapping["weight"]) ?? 1
        guard weight >= 0 else { throw .invalid(at: node.position, reason: "a weight is 0 or more") }
        return Assertion(
            type: type,
            isNegated: isNegated,
            kind: try kind(type, mapping),
            weight: weight,
            metric: try reading { () throws(YAMLError) in try mapping["metric"]?.string() },
            position: node.position
        )
    }

    private func kind(_ type: String, _ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        switch type {
        case "contains", "icontains", "contains-any", "icontains-any", "contains-all", "icontains-all":
            let texts = try texts(mapping)
            guard !texts.isEmpty, !texts.contains("") else { throw needs("a text that is not empty", mapping) }
            return .contains(texts, all: !type.hasSuffix("any"), ignoringCase: type.hasPrefix("i"))
        case "equals": return .equals(try text(mapping))
        case "starts-with": return .startsWith(try text(mapping), ignoringCase: false)
        case "ends-with": return .endsWith(try text(mapping))
        case "regex": return .regex(try expression(mapping))
        case "word-count": return .wordCount(try wordCount(mapping))
        case "levenshtein": return .levenshtein(try text(mapping), atMost: Int(try threshold(mapping)))
        case "is-refusal": return .isRefusal
        case "cost": return .cost(atMost: try threshold(mapping))
        case "latency": return .latency(atMost: try threshold(mapping))
        case "llm-rubric": return .rubric(try text(mapping))
        case "assert-set": return try set(mapping)
        default: return try ours(type, mapping)
        }
    }

    private func ours(_ type: String, _ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        switch type {
        case "scam-flag": .scamFlag(rules: try mapping["value"] == nil ? [] : texts(mapping))
        case "guardrail": .guardrail(rules: try mapping["value"] == nil ? [] : texts(mapping))
        case "alert-level": try alertLevel(mapping)
        case "memory-used": try memoryUsed(mapping)
        case "prompt": try prompt(mapping)
        case "no-medical-advice": .noMedicalAdvice
        case "no-legal-advice": .noLegalAdvice
        case "source": .source(try choices(mapping))
        case "degraded": .degraded(try choices(mapping))
        case "keep-listening":
            .keepListening(try reading { () throws(YAMLError) in try mapping.required("value").bool() })
        case "stage-latency": try stageLatency(mapping)
        default: throw .unsupportedAssertion(at: mapping.position, type: type)
        }
    }

    // MARK: Values

    private func text(_ mapping: YAMLMapping) throws(FixtureError) -> String {
        replaced(try reading { () throws(YAMLError) in try mapping.string("value") })
    }

    private func texts(_ mapping: YAMLMapping) throws(FixtureError) -> [String] {
        let node = try reading { () throws(YAMLError) in try mapping.required("value") }
        if case .scalar = node.content { return [try text(mapping)] }
        return try reading { () throws(YAMLError) in try node.strings() }.map(replaced)
    }

    private func replaced(_ text: String) -> String {
        variables.reduce(text) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }

    private func number(_ node: YAMLNode?) throws(FixtureError) -> Double? {
        try reading { () throws(YAMLError) in try node?.number() }
    }

    /// A bound that must be given and must not be negative: a gate that anything passes is no gate.
    private func threshold(_ mapping: YAMLMapping) throws(FixtureError) -> Double {
        guard let threshold = try number(mapping["threshold"]) else { throw needs("a threshold", mapping) }
        guard threshold >= 0 else { throw needs("a threshold of 0 or more", mapping) }
        return threshold
    }

    private func expression(_ mapping: YAMLMapping) throws(FixtureError) -> String {
        let pattern = try text(mapping)
        guard RegularExpressions.shared.expression(pattern) != nil else {
            throw needs("a regular expression (ICU syntax)", mapping)
        }
        return pattern
    }

    private func wordCount(_ mapping: YAMLMapping) throws(FixtureError) -> ClosedRange<Int> {
        let (low, high) = try reading { () throws(YAMLError) in
            let node = try mapping.required("value")
            guard case .mapping = node.content else {
                let count = try node.integer(in: 0...10_000)
                return (count, count)
            }
            let bounds = try node.mapping(of: "min", "max")
            return (
                try bounds["min"]?.integer(in: 0...10_000) ?? 0, try bounds["max"]?.integer(in: 0...10_000) ?? 10_000
            )
        }
        guard low <= high, (low, high) != (0, 10_000) else { throw needs("a least or a greatest count", mapping) }
        return low...high
    }

    private func set(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let parts = try assertions(mapping["assert"])
        guard !parts.isEmpty else { throw needs("assertions of its own", mapping) }
        let threshold = try number(mapping["threshold"])
        guard threshold.map({ $0 > 0 && $0 <= 1 }) ?? true else {
            throw needs("a threshold above 0, at most 1", mapping)
        }
        return .set(parts, threshold: threshold)
    }

    private func alertLevel(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        try reading { () throws(YAMLError) in
            let node = try mapping.required("value")
            guard case .mapping = node.content else {
                let level = try node.choice(of: Level.self)
                return .alertLevel(level...level, category: nil)
            }
            let value = try node.mapping(of: "min", "max", "is", "category")
            let category = try value["category"]?.choice(of: Conversation.Category.self)
            if let level = try value["is"]?.choice(of: Level.self) {
                return .alertLevel(level...level, category: category)
            }
            let low = try value["min"]?.choice(of: Level.self) ?? Level.none
            let high = try value["max"]?.choice(of: Level.self) ?? Level.critical
            guard low <= high else { throw node.invalid("min no graver than max") }
            return .alertLevel(low...high, category: category)
        }
    }

    private func memoryUsed(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let node = try reading { () throws(YAMLError) in try mapping.required("value") }
        guard case .mapping = node.content else { return .memoryUsed(try text(mapping), inReply: false) }
        let value = try reading { () throws(YAMLError) in try node.mapping(of: "text", "in") }
        let place = try reading { () throws(YAMLError) in try value["in"]?.string() ?? "prompt" }
        guard ["prompt", "reply"].contains(place) else { throw needs("in: prompt or reply", mapping) }
        let text = try reading { () throws(YAMLError) in try value.string("text") }
        return .memoryUsed(replaced(text), inReply: place == "reply")
    }

    private func prompt(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let (role, text) = try reading { () throws(YAMLError) in
            let value = try mapping.required("value").mapping(of: "role", "contains")
            return (try value["role"]?.string(), try value.string("contains"))
        }
        guard let role else { return .prompt(role: nil, contains: replaced(text)) }
        guard let known = Prompt.Message.Role(rawValue: role) else {
            throw needs("role: system, user or assistant", mapping)
        }
        return .prompt(role: known, contains: replaced(text))
    }

    private func stageLatency(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let stage = try text(mapping)
        return .stageLatency(stage: stage, atMost: try threshold(mapping))
    }

    private func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ mapping: YAMLMapping
    ) throws(FixtureError) -> [Choice] {
        try reading { () throws(YAMLError) in
            let node = try mapping.required("value")
            if case .scalar = node.content { return [try node.choice(of: Choice.self)] }
            var choices: [Choice] = []
            for item in try node.sequence() { choices.append(try item.choice(of: Choice.self)) }
            return choices
        }
    }

    private func needs(_ what: String, _ mapping: YAMLMapping) -> FixtureError {
        .invalid(at: mapping.position, reason: "this assertion needs \(what)")
    }
}

/// Runs a reading of YAML; what is wrong with the document becomes an error of the fixture.
func reading<Value>(_ read: () throws(YAMLError) -> Value) throws(FixtureError) -> Value {
    do throws(YAMLError) {
        return try read()
    } catch {
        throw .document(error)
    }
}
