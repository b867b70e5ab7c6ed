import Conversation
import Foundation
import Runtime
import Testing

@testable import Console

/// The names of a turn's stages and what their notes say, in both languages.
@Suite struct StageLabelsTests {
    @Test func `each stage that the service records has a name, in Spanish too`() throws {
        let root = PageBench.root.appending(path: "Sources")
        var stages = Set(ModelCall.Role.allCases.map(\.rawValue))
        for folder in ["Conversation", "API", "Recall", "Safety"] {
            let place = root.appending(path: folder)
            let files = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? []
            for file in files where file.hasSuffix(".swift") {
                let text = try String(contentsOf: place.appending(path: file), encoding: .utf8)
                for match in text.matches(of: /(?:trace|ledger)\.record\(\s*"([a-z_]+)"/) {
                    stages.insert("\(match.1)")
                }
            }
        }
        #expect(stages.isSuperset(of: ["receive", "authenticate", "admit", "generate", "triage", "raise", "listen"]))
        for stage in stages.sorted() {
            let name = StageLabels.name(of: stage)
            #expect(name != stage || stage == "decide", "\(stage)")
            #expect(Wording.has(name), "\(name)")
        }
        #expect(stages.isSuperset(of: StageLabels.calls.subtracting(["first", "next"])))
    }

    @Test(arguments: [
        ("decide", "medium, 1 alerts", "level medium, 1 alert", "nivel medio, 1 alerta"),
        ("decide", "none, 0 alerts", "no danger, 0 alerts", "sin peligro, 0 alertas"),
        ("recall", "1 memories", "1 memory", "1 recuerdo"), ("recall", "2 memories", "2 memories", "2 recuerdos"),
        ("remember", "1 facts", "1 fact", "1 dato"), ("listen", "1 vectors", "1 vector", "1 vector"),
        ("admit", "whole", "", ""), ("record", "key taken", "key taken", "clave ya usada"),
        (
            "generate", "small, strict: whole, about 521+15 tokens",
            "small, strict posture: whole, 521 prompt tokens, 15 completion tokens, estimated",
            "small, postura estricta: entera, 521 tokens leídos, 15 tokens escritos, estimado"
        ),
        ("retry", "small-model: timed out", "small-model: timed out", "small-model: timed out"),
    ])
    func `a note is said in words`(stage: String, note: String, english: String, spanish: String) {
        #expect(StageLabels.note(note, of: stage) == english)
        ConsoleLanguage.$current.withValue(.spanish) { #expect(StageLabels.note(note, of: stage) == spanish) }
    }
}
