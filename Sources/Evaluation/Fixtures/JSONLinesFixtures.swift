import Foundation
import Runtime
import YAML

/// Reads Inspect's samples and OpenAI's evals: one JSON object per line, with `input` and `target` or `ideal`.
///
/// The reply must contain the target, or one of several. A line may also be one of Hearth's own test cases.
package struct JSONLinesFixtures {
    private static let keys: Set = ["id", "input", "target", "ideal", "metadata"]

    package init() {}

    /// Reads the fixtures of a text.
    package func fixtures(_ text: String, file: String) throws(FixtureError) -> [Fixture] {
        try ImportedTests.fixtures(tests(text, file: file), file: file)
    }

    /// Converts the lines to test cases for the suite reader.
    package func tests(_ text: String, file: String) throws(FixtureError) -> [ImportedTest] {
        var tests: [ImportedTest] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy(\.isWhitespace) {
            let position = YAMLPosition(file: file, line: index + 1, column: 1)
            guard let object = JSONValue(parsing: String(line))?.fields else {
                throw .invalid(at: position, reason: "the line is no JSON object")
            }
            let test = object["input"] == nil ? .fields(object) : try sample(object, at: position)
            tests.append(.init(line: index + 1, test: test))
        }
        return tests
    }

    private func sample(_ object: [String: JSONValue], at position: YAMLPosition) throws(FixtureError) -> JSONValue {
        if let unknown = object.keys.sorted().first(where: { !Self.keys.contains($0) }) {
            throw .invalid(at: position, reason: "the key \"\(unknown)\" is not supported")
        }
        var test: [String: JSONValue] = [:]
        test["id"] = object["id"].map { .string($0.words) }
        if let metadata = object["metadata"] { test["metadata"] = metadata }
        let targets: [String]
        switch object["target"] ?? object["ideal"] {
        case .string(let text): targets = [text]
        case .array(let items): targets = items.map(\.words)
        default: throw .invalid(at: position, reason: "target or ideal is missing")
        }
        test["assert"] = .array([
            .fields(["type": .string("icontains-any"), "value": .array(targets.map { .string($0) })])
        ])
        try addInput(object["input"], to: &test, at: position)
        return .fields(test)
    }

    /// Converts text or messages: the last user message is the turn, those before it are earlier turns.
    private func addInput(
        _ input: JSONValue?,
        to test: inout [String: JSONValue],
        at position: YAMLPosition
    ) throws(FixtureError) {
        if case .string(let text) = input {
            test["vars"] = .fields(["message": .string(text)])
            return
        }
        guard case .array(let items) = input else {
            throw .invalid(at: position, reason: "input is no text and no messages")
        }
        var earlier: [JSONValue] = []
        var said: String?
        for item in items {
            guard let role = item["role"]?.string,
                let text = item["content"]?.string
            else { throw .invalid(at: position, reason: "a message has a role and a content") }
            switch role {
            case "user":
                if let said { earlier.append(.fields(["user": .string(said)])) }
                said = text
            case "assistant":
                guard let question = said else { throw .invalid(at: position, reason: "an answer comes first") }
                earlier.append(.fields(["user": .string(question), "reply": .string(text)]))
                said = nil
            default: throw .invalid(at: position, reason: "the role \"\(role)\" is not supported")
            }
        }
        guard let said else { throw .invalid(at: position, reason: "the last message is not the user's") }
        test["vars"] = .fields(["message": .string(said)])
        if !earlier.isEmpty { test["given"] = .fields(["earlier": .array(earlier)]) }
    }
}
