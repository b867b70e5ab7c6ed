import Conversation
import Foundation
import Testing

@testable import Prompts

@Suite struct `A prompt library` {
    /// A folder of its own, removed with the suite.
    private final class Scratch {
        let url = FileManager.default.temporaryDirectory.appending(path: "prompts-\(UUID())")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            for file in `A bundle`.files { try write(file.path, String(decoding: file.bytes, as: UTF8.self)) }
        }

        func write(_ path: String, _ text: String) throws {
            let file = url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file, options: .atomic)
        }

        func companion(saying text: String) throws {
            try write(
                "companion.prompt",
                "---\ninput: {schema: {message: string}}\n---\n{{role \"system\"}}\(text){{role \"user\"}}{{message}} \(text)"
            )
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    @Test func `without a bundle says so`() throws {
        let library = PromptLibrary(PromptFolder(URL(filePath: "/nowhere")))
        #expect(library.version == "none" && library.names == [])
        #expect(throws: PromptError.noBundle) { try library.compose(ShippedPrompts.plain("x")) }
        #expect(throws: BundleError.self) { try library.reload() }
    }

    @Test func `takes in an edit, and keeps the last good bundle when one is broken`() throws {
        let scratch = try Scratch()
        let library = PromptLibrary(PromptFolder(scratch.url))
        let first = try library.reload()
        try scratch.companion(saying: "Good day")
        let second = try library.reload()
        #expect(first != second && library.version == second && library.names == [second])
        try scratch.companion(saying: "{{broken")
        let error = #expect(throws: BundleError.self) { try library.reload() }
        #expect("\(try #require(error))".hasPrefix("companion.prompt:4:18: "))
        #expect(library.version == second)
        #expect(try library.compose(ShippedPrompts.plain("x")).messages[0].text == "Good day")
    }

    @Test func `counts rule packs for the version`() throws {
        let scratch = try Scratch()
        try scratch.write("rules/falls.yaml", "a")
        let library = PromptLibrary(PromptFolder(scratch.url, with: [scratch.url.appending(path: "rules")]))
        let first = try library.reload()
        try scratch.write("rules/falls.yaml", "b")
        #expect(try library.reload() != first)
    }

    /// What one turn after another saw: for each version the texts that its prompts held.
    private func turns(of library: PromptLibrary) async throws -> [String: Set<String>] {
        var seen: [String: Set<String>] = [:]
        while !Task.isCancelled {
            let prompt = try library.compose(ShippedPrompts.plain("x"))
            let texts = Set(prompt.messages.map { $0.text.replacing("x ", with: "") })
            #expect(texts.count == 1)
            seen[prompt.version, default: []].formUnion(texts)
            await Task.yield()
        }
        return seen
    }

    @Test func `never mixes two bundles and loses no turn in a storm of edits, a third of them broken`() async throws {
        let scratch = try Scratch()
        let library = PromptLibrary(PromptFolder(scratch.url))
        try scratch.companion(saying: "edit 0")
        try library.reload()
        try await withThrowingTaskGroup(of: [String: Set<String>].self) { group in
            for _ in 0..<200 { group.addTask { try await turns(of: library) } }
            var refused = 0
            for edit in 1...1_000 {
                try scratch.companion(saying: edit.isMultiple(of: 3) ? "edit {{\(edit)" : "edit \(edit)")
                do { try library.reload() } catch { refused += 1 }
            }
            group.cancelAll()
            #expect(refused == 333)
            for try await seen in group { #expect(seen.values.allSatisfy { $0.count == 1 }) }
        }
        #expect(try library.compose(ShippedPrompts.plain("x")).messages[0].text == "edit 1000")
    }
}
