import Testing

@testable import Prompts

@Suite(.enabled(if: DotpromptVectors.areHere, "the public cases are not on this machine"))
struct `The public cases of Dotprompt` {
    /// Cases that mean something else here, each with the reason; one that passes after all fails the test.
    static let differing: [String: String] = [:]

    @Test(arguments: try DotpromptVectors.cases())
    func `a case renders as it says, or is listed with the reason`(_ example: DotpromptVectors.Case) throws {
        let rendered = Result {
            let partials = try example.partials.map { name, text in (name, try Template(text, file: name)) }
            let template = try LinkedTemplate(
                Template(example.template),
                partials: Dictionary(uniqueKeysWithValues: partials)
            )
            return try template.render(example.values, history: example.history).map(DotpromptVectors.Message.init)
        }
        if let reason = Self.differing[example.name] {
            #expect((try? rendered.get()) != example.expected, "passes although it is listed: \(reason)")
        } else {
            #expect(try rendered.get() == example.expected)
        }
    }

    @Test func `every case of the folder is read`() throws {
        #expect(try DotpromptVectors.cases().count == 29)
    }

    @Test func `every case that is listed exists`() throws {
        let names = Set(try DotpromptVectors.cases().map(\.name))
        #expect(Self.differing.keys.allSatisfy(names.contains))
    }
}
