import Foundation
import Testing

@testable import Prompts

@Suite struct `The house form` {
    private func formatted(_ text: String, file: String = "a.prompt") throws -> String {
        try PromptFormat.formatted(SourceText(file: file, text))
    }

    @Test(arguments: [
        ("{{ name }}", "{{name}}"), ("{{#if  name }}x{{ /if}}", nil),
        ("{{# if name}}x{{/ if}}", "{{#if name}}x{{/if}}"),
        ("{{#if   name }}x{{else  }}y{{/if }}", "{{#if name}}x{{else}}y{{/if}}"),
        ("{{~ name ~}}", "{{~name~}}"), ("{{>part}}", "{{> part}}"), ("{{>  part  a=b }}", "{{> part a=b}}"),
        ("{{ role   \"user\" }}", "{{role \"user\"}}"), ("{{section \"a  b\"}}", "{{section \"a  b\"}}"),
        ("\\{{ name }}", "\\{{ name }}"), ("{{!--  kept  --}}", "{{!--  kept  --}}"), ("a  b", "a  b"),
    ])
    func `tidies tags and leaves the prompt's own text alone`(_ text: String, _ expected: String?) throws {
        let head = "---\nconfig: {}\n---\n"
        guard let expected else {
            #expect(throws: PromptSourceError.self) { try LinkedTemplate(Template(text)) }
            return
        }
        #expect(try formatted(head + text) == head + expected + "\n")
    }

    @Test func `ends every file with one line feed and every setting without blanks`() throws {
        let text = "---\r\nconfig: {}  \r\n---\r\nHi\r\n\r\n\r\n"
        #expect(try formatted(text) == "---\nconfig: {}\n---\nHi\n")
    }

    @Test func `is the form of its own result, and of the shipped prompts`() throws {
        for file in try PromptFolder(ShippedPrompts.folder).files() where file.isPrompt {
            let text = try PromptFormat.formatted(SourceText(file: file.path, bytes: file.bytes))
            #expect(text == String(decoding: file.bytes, as: UTF8.self), "\(file.path)")
            #expect(try formatted(text, file: file.path) == text)
        }
    }

    @Test func `changes nothing that random templates say`() throws {
        var generator = TemplateGenerator(seed: 11)
        for _ in 0..<2_000 {
            let body = generator.template()
            let text = try formatted("---\nconfig: {}\n---\n" + body)
            #expect(try formatted(text) == text)
        }
    }

    @Test func `is not given to a file that cannot be read`() {
        #expect(throws: PromptSourceError.self) { try formatted("---\nconfig: {}\n---\n{{broken") }
        #expect(throws: PromptSourceError.self) { try formatted("no settings") }
    }
}
