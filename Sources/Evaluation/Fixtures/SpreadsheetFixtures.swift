import Foundation
import Runtime
import YAML

/// Reads promptfoo's CSV: columns are variables, `__expected…` columns contain `type:value` or `type(threshold):value`.
///
/// Each row is converted to a test case and read as one, so that both forms follow the same rules.
package struct SpreadsheetFixtures {
    private static let special = ["__description", "__threshold", "__metric", "__id", "__severity"]

    package init() {}

    /// Reads a table whose first row contains the column names.
    package func fixtures(_ text: String, file: String) throws(FixtureError) -> [Fixture] {
        try ImportedTests.fixtures(tests(text, file: file), file: file)
    }

    /// Converts the rows to test cases for the suite reader.
    package func tests(_ text: String, file: String) throws(FixtureError) -> [ImportedTest] {
        guard let rows = CSVReader.rows(text) else {
            throw .invalid(at: YAMLPosition(file: file, line: 1, column: 1), reason: "a quote is never closed")
        }
        guard let header = rows.first?.fields, rows.count > 1 else { throw .none(path: file) }
        if let twice = Dictionary(grouping: header, by: \.self).first(where: { !$0.key.isEmpty && $0.value.count > 1 })
        {
            throw .invalid(
                at: YAMLPosition(file: file, line: 1, column: 1),
                reason: "the column \(twice.key) is there \(twice.value.count) times"
            )
        }
        var tests: [ImportedTest] = []
        for row in rows.dropFirst() { tests.append(.init(line: row.line, test: try test(row, header, file))) }
        return tests
    }

    private func test(_ row: CSVReader.Row, _ header: [String], _ file: String) throws(FixtureError) -> JSONValue {
        let position = YAMLPosition(file: file, line: row.line, column: 1)
        guard row.fields.count <= header.count else {
            throw .invalid(at: position, reason: "\(row.fields.count) fields, and \(header.count) columns")
        }
        var variables: [String: JSONValue] = [:]
        var metadata: [String: JSONValue] = [:]
        var test: [String: JSONValue] = [:]
        var assertions: [[String: JSONValue]] = []
        var metric: JSONValue?
        for (column, value) in zip(header, row.fields) where !value.isEmpty {
            switch column {
            case "__description": test["description"] = .string(value)
            case "__id": test["id"] = .string(value)
            case "__severity": test["severity"] = .string(value)
            case "__metric": metric = .string(value)
            case "__threshold":
                guard let number = Double(value) else {
                    throw .invalid(at: position, reason: "__threshold is no number")
                }
                test["threshold"] = .real(number)
            case let name where name.hasPrefix("__metadata:"):
                metadata[String(name.dropFirst("__metadata:".count))] = .string(value)
            case let name where name.hasPrefix("__expected"):
                assertions.append(try expectation(value, at: position))
            case let name where name.hasPrefix("__"):
                throw .invalid(at: position, reason: "the column \(name) is not supported")
            default: variables[column] = .string(value)
            }
        }
        test["vars"] = .fields(variables)
        if !metadata.isEmpty { test["metadata"] = .fields(metadata) }
        let shared = metric.map { ["metric": $0] } ?? [:]
        test["assert"] = .array(assertions.map { .fields($0.merging(shared) { own, _ in own }) })
        return .fields(test)
    }

    /// Parses `contains-any:a,b`, `latency(5000):`, or a plain text that the reply must equal.
    private func expectation(_ text: String, at position: YAMLPosition) throws(FixtureError) -> [String: JSONValue] {
        guard let match = text.wholeMatch(of: /([a-z-]+)(?:\(([0-9.]+)\))?(?::([\s\S]*))?/) else {
            return ["type": .string("equals"), "value": .string(text)]
        }
        let name = String(match.1)
        let type = name.hasPrefix("not-") ? String(name.dropFirst(4)) : name
        guard AssertionReader.types.contains(type) else {
            guard match.3 != nil else { return ["type": .string("equals"), "value": .string(text)] }
            throw .unsupportedAssertion(at: position, type: name)
        }
        var assertion: [String: JSONValue] = ["type": .string(name)]
        if let threshold = match.2.flatMap({ Double($0) }) { assertion["threshold"] = .real(threshold) }
        if let value = match.3.map({ String($0).trimmingCharacters(in: .whitespaces) }), !value.isEmpty {
            assertion["value"] = self.value(value, of: type)
        }
        return assertion
    }

    private func value(_ text: String, of type: String) -> JSONValue {
        if type.hasSuffix("-any") || type.hasSuffix("-all") || type == "degraded" {
            return .array(text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) })
        }
        if let object = JSONValue(parsing: text), case .object = object { return object }
        if let number = Int(text), type == "word-count" { return .integer(number) }
        return text == "true" || text == "false" ? .bool(text == "true") : .string(text)
    }
}
