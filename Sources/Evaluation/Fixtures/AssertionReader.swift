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
    private static let common = ["type", "weight", "metric", "description"]
    private static let withoutValue: Set = [
        "is-refusal", "no-legal-advice", "no-medical-advice", "cost", "latency", "assert-set",
    ]
    private static let withThreshold: Set = ["assert-set", "cost", "latency", "levenshtein", "stage-latency"]

    /// What `{{name}}` stands for in a value; nil where values are checked before variables are known.
    let variables: TextVariables?

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
        let mapping = try reading { () throws(YAMLError) in try node.mapping() }
        let written = try reading { () throws(YAMLError) in try mapping.string("type") }
        let isNegated = written.hasPrefix("not-")
        let type = isNegated ? String(written.dropFirst(4)) : written
        guard Self.types.contains(type) else {
            throw .unsupportedAssertion(at: mapping["type"]?.position ?? node.position, type: written)
        }
        try reading { () throws(YAMLError) in try mapping.refuseKeys(except: Self.keys(of: type)) }
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

    /// The keys that mean something to a type: a limit that is passed over would be no limit.
    private static func keys(of type: String) -> [String] {
        common + (withoutValue.contains(type) ? [] : ["value"]) + (withThreshold.contains(type) ? ["threshold"] : [])
            + (type == "assert-set" ? ["assert"] : [])
    }

    private func kind(_ type: String, _ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        switch type {
        case "contains", "icontains", "contains-any", "icontains-any", "contains-all", "icontains-all":
            return .contains(try texts(mapping), all: !type.hasSuffix("any"), ignoringCase: type.hasPrefix("i"))
        case "equals": return .equals(try text(mapping))
        case "starts-with": return .startsWith(try text(mapping), ignoringCase: false)
        case "ends-with": return .endsWith(try text(mapping))
        case "regex": return .regex(try expression(mapping))
        case "word-count": return .wordCount(try wordCount(mapping))
        case "levenshtein": return .levenshtein(try text(mapping), atMost: try distance(mapping))
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
        case "scam-flag": .scamFlag(rules: try rules(mapping))
        case "guardrail": .guardrail(rules: try rules(mapping))
        case "alert-level": try alertLevel(mapping)
        case "memory-used": try memoryUsed(mapping)
        case "prompt": try prompt(mapping)
        case "no-medical-advice": .noMedicalAdvice
        case "no-legal-advice": .noLegalAdvice
        case "source": .source(try sources(mapping))
        case "degraded": .degraded(try choices(mapping))
        case "keep-listening":
            .keepListening(try reading { () throws(YAMLError) in try mapping.required("value").bool() })
        case "stage-latency": try stageLatency(mapping)
        default: throw .unsupportedAssertion(at: mapping.position, type: type)
        }
    }

    // MARK: Values

    private func text(_ mapping: YAMLMapping) throws(FixtureError) -> String {
        try text(reading { () throws(YAMLError) in try mapping.required("value") })
    }

    /// A text with its variables in place; an empty one would be found in every reply.
    private func text(_ node: YAMLNode) throws(FixtureError) -> String {
        let written = try reading { () throws(YAMLError) in try node.string() }
        let text = try variables?.replaced(written, at: node.position) ?? written
        guard !text.isEmpty else { throw .invalid(at: node.position, reason: "a text that is not empty is needed") }
        return text
    }

    private func texts(_ mapping: YAMLMapping) throws(FixtureError) -> [String] {
        let node = try reading { () throws(YAMLError) in try mapping.required("value") }
        if case .scalar = node.content { return [try text(node)] }
        var texts: [String] = []
        for item in try reading({ () throws(YAMLError) in try node.sequence() }) { texts.append(try text(item)) }
        guard !texts.isEmpty else { throw needs("one text or more", mapping) }
        return texts
    }

    /// The rules that are named; none stands for any rule.
    private func rules(_ mapping: YAMLMapping) throws(FixtureError) -> [String] {
        mapping["value"] == nil ? [] : try texts(mapping)
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

    /// An edit distance; no reply is as long as the greatest.
    private func distance(_ mapping: YAMLMapping) throws(FixtureError) -> Int {
        guard let distance = Int(exactly: try threshold(mapping)), distance <= 1_000 else {
            throw needs("a whole threshold of at most 1000", mapping)
        }
        return distance
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
            guard low > .none || high < .critical else { throw node.invalid("min above none, or max below critical") }
            return .alertLevel(low...high, category: category)
        }
    }

    private func memoryUsed(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let node = try reading { () throws(YAMLError) in try mapping.required("value") }
        guard case .mapping = node.content else { return .memoryUsed(try text(mapping), inReply: false) }
        let value = try reading { () throws(YAMLError) in try node.mapping(of: "text", "in") }
        let place = try reading { () throws(YAMLError) in try value["in"]?.string() ?? "prompt" }
        guard ["prompt", "reply"].contains(place) else { throw needs("in: prompt or reply", mapping) }
        let text = try text(reading { () throws(YAMLError) in try value.required("text") })
        return .memoryUsed(text, inReply: place == "reply")
    }

    private func prompt(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let (role, node) = try reading { () throws(YAMLError) in
            let value = try mapping.required("value").mapping(of: "role", "contains")
            return (try value["role"]?.string(), try value.required("contains"))
        }
        let text = try text(node)
        guard let role else { return .prompt(role: nil, contains: text) }
        guard let known = Prompt.Message.Role(rawValue: role) else {
            throw needs("role: system, user or assistant", mapping)
        }
        return .prompt(role: known, contains: text)
    }

    private func stageLatency(_ mapping: YAMLMapping) throws(FixtureError) -> Assertion.Kind {
        let stage = try text(mapping)
        return .stageLatency(stage: stage, atMost: try threshold(mapping))
    }

    private func sources(_ mapping: YAMLMapping) throws(FixtureError) -> [ReplySource] {
        let sources: [ReplySource] = try choices(mapping)
        guard !sources.isEmpty else { throw needs("one source or more", mapping) }
        return sources
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
