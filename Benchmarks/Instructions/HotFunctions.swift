import Conversation
import Domain
import Foundation
import Models
import Prompts
import Recall
import Runtime
import Safety

/// Parts of every turn, each by itself, on the same input every time.
struct HotFunctions {
    private let book: RuleSet
    private let turns: HotTurns
    private let messages: MessageDetector
    private let replies: ReplyDetector

    init(folder: String) throws {
        book = try RuleSet(folder: folder + "/rules")
        turns = try HotTurns(folder: folder, book)
        messages = try MessageDetector(path: folder + "/detector/messages.detector", space: E5Space.reading)
        replies = try ReplyDetector(path: folder + "/detector/replies.detector", space: E5Space.answers)
    }

    /// Counts the instructions of each.
    func count() async throws {
        let screen = RuleScreen(book)
        let normaliser = Normaliser()
        InstructionCount("normalise", times: 5).of {
            for text in SaidTexts.messages { _ = normaliser.normalise(text) }
        }
        InstructionCount("screen", times: 5).of {
            for text in SaidTexts.messages { _ = screen.screen(text) }
        }
        InstructionCount("cap", times: 20).of {
            for text in SaidTexts.replies { _ = ReplyCap(words: Turn.maximumWords).applied(to: text) }
        }
        try countJSON()
        countDetectors()
        countRecall()
        // One loop for both: callgrind counts wrongly on a thread whose number another thread had before.
        let loops = EventLoopGroup(count: 1)
        try await turns.count(on: loops.loops[0])
        try await HotStream().count(on: loops.loops[0])
        loops.stop()
    }

    private func countJSON() throws {
        let body = Array(SaidTexts.request.utf8)
        try InstructionCount("read_json", times: 50).of { _ = try JSONReader.read(body) }
        let value = try JSONReader.read(Array(SaidTexts.response.utf8))
        InstructionCount("write_json", times: 50).of { _ = value.bytes }
    }

    private func countDetectors() {
        let vector = [Float](repeating: 1 / Float(E5Space.dimension).squareRoot(), count: E5Space.dimension)
        InstructionCount("detector", times: 10).of {
            _ = messages.detect(SaidTexts.messages[0], vector: vector)
            for text in SaidTexts.replies.prefix(2) { _ = replies.judge(text, vector: vector) }
        }
    }

    private func countRecall() {
        let (dimension, size, date) = (384, 1_000, Date(timeIntervalSince1970: 1_761_292_800))
        let (tenant, patient) = (TenantID(), PatientID())
        var random = SeededGenerator(seed: 1)
        func vector() -> [Float] { (0..<dimension).map { _ in Float.random(in: -1...1, using: &random) } }
        let matrix = PatientMatrix(dimension: dimension)
        matrix.append(
            (1...size).map { position in
                let memory = StoredMemory(id: MemoryID(), patient: patient, tenant: tenant, text: "a walk", at: date)
                return MemoryVector(memory: memory, vector: vector(), position: Int64(position))
            }
        )
        let query = vector()
        InstructionCount("recall_1000", times: 10).of { _ = matrix.nearest(to: query, limit: 10, at: date) }
    }
}
