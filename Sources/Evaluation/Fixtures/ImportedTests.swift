package import Runtime
import YAML

/// A test case of another format, converted to Hearth's form.
package struct ImportedTest: Sendable, Equatable {
    /// Line of the source file.
    package let line: Int
    /// The test case.
    package let test: JSONValue
}

/// Reads imported test cases through the same reader as suites, with errors at the lines of their source files.
enum ImportedTests {
    /// Writes each case as a line of JSON, which is valid YAML, and reads it like any other case.
    static func fixtures(_ tests: [ImportedTest], file: String) throws(FixtureError) -> [Fixture] {
        guard !tests.isEmpty else { throw .none(path: file) }
        let stem = file.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? file
        var fixtures: [Fixture] = []
        for (index, imported) in tests.enumerated() {
            var test = imported.test
            if var object = test.fields, object["id"] == nil {
                object["id"] = .string("\(stem)-\(index + 1)")
                test = .fields(object)
            }
            let document = JSONValue.fields(["suite": .string(stem), "tests": .array([test])]).text
            do {
                for var fixture in try SuiteReader().fixtures(document, file: file) {
                    fixture.position = YAMLPosition(file: file, line: imported.line, column: 1)
                    fixtures.append(fixture)
                }
            } catch {
                throw error.moved(to: YAMLPosition(file: file, line: imported.line, column: 1))
            }
        }
        return fixtures
    }
}

extension FixtureError {
    /// The same error at the position in the source file.
    fileprivate func moved(to position: YAMLPosition) -> FixtureError {
        switch self {
        case .unsupportedAssertion(_, let type): .unsupportedAssertion(at: position, type: type)
        case .invalid(_, let reason): .invalid(at: position, reason: reason)
        case .document(let error):
            .invalid(
                at: position,
                reason: error.description.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
            )
        case .duplicateID, .unreadable, .none: self
        }
    }
}
