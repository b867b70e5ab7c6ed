import Conversation
import Domain
import Foundation
import Testing
import YAML

@testable import Prompts

@Suite struct `What is wrong is said in a sentence` {
    @Test func `with its place once`() throws {
        let file = BundleFile(path: "companion.prompt", "---\ninput:\n  schema: [\n---\nx")
        do {
            _ = try PromptBundle([file])
            Issue.record("the file is read")
        } catch {
            let places = "\(error)".components(separatedBy: "companion.prompt:").count - 1
            #expect(places == 1, "\(error)")
        }
        let found = try #require(PromptLint([file]).findings.first { $0.rule == .source })
        #expect(!found.message.contains("companion.prompt"), "\(found)")
    }

    @Test func `where the input lacks a variable`() throws {
        let file = BundleFile(path: "kase.prompt", "---\ninput: {schema: {field1: string}}\n---\n{{field1}}")
        let bundle = try PromptBundle([file], contracts: [])
        let prompt = try #require(bundle.prompt("kase"))
        for (values, words) in [
            (TemplateObject(), "the input lacks \"field1\", which the prompt needs"),
            (["field1": .integer(3)], "\"field1\" of the input must be a string"),
        ] as [(TemplateObject, String)] {
            do throws(PromptError) {
                _ = try prompt.render(values, history: [])
                Issue.record("it is rendered")
            } catch {
                #expect("\(error)" == words)
            }
        }
    }

    @Test(arguments: [
        RenderError.missingVariable("a", at: SourcePlace(file: "f", .start)), .tooLong(limit: 9),
        .tooManySteps(limit: 9),
        .notText("a", at: SourcePlace(file: "f", .start)), .repeatedHistory(at: SourcePlace(file: "f", .start)),
    ])
    func `where a template cannot be rendered`(_ error: RenderError) {
        #expect(!"\(error)".contains("("), "no words of the language that this is written in: \(error)")
    }
}
