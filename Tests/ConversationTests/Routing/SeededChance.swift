import Conversation
import Domain
import Evaluation
import Runtime
import Synchronization
import TestSupport

/// Delays and failures that a seed gives to each part of each turn.
///
/// Drawn anew for every turn, part and call from the seed and their names, so that what happens to one does not depend
/// on the order in which others ask.
struct SeededChance: Sendable {
    /// Ends of a call to a part of the service.
    enum Ending: Equatable {
        case well(after: Duration)
        case away(after: Duration)
        case never
    }

    let seed: UInt64
    let time: SimulatedTime

    /// The number that a turn's words end in.
    static func number(_ text: String) -> String { text.split(separator: " ").last.map(String.init) ?? "" }

    func generator(_ name: String) -> SeededGenerator {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return SeededGenerator(seed: hash ^ (seed &* 0x9E37_79B9_7F4A_7C15))
    }

    /// Number of turns that come at once.
    func burst(_ number: Int) -> Int {
        var generator = generator("burst \(number)")
        return [1, 1, 2, 4].randomElement(using: &generator) ?? 1
    }

    /// Behaviour of a part in a turn.
    func ending(_ part: String, _ text: String) -> Ending {
        var generator = generator("\(part) \(Self.number(text))")
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<13: return .well(after: .milliseconds(Int.random(in: 1...40, using: &generator)))
        case 13..<15: return .well(after: .milliseconds(Int.random(in: 100...250, using: &generator)))
        case 15: return .well(after: .milliseconds(Int.random(in: 600...4_000, using: &generator)))
        case 16..<19: return .away(after: .milliseconds(Int.random(in: 0...20, using: &generator)))
        default: return .never
        }
    }

    /// Lets the time of a call to a part pass; nil when it did well.
    func pass(_ part: String, _ text: String, by deadline: Deadline) async -> RecordsError? {
        let began = time.now
        let ending = ending(part, text)
        let after: Duration? =
            switch ending {
            case .well(let after), .away(let after): after
            case .never: nil
            }
        let until = after.map { min(began + $0, deadline.instant) } ?? deadline.instant
        do { try await time.sleep(until: until) } catch { return .cancelled }
        if let after, began + after <= deadline.instant {
            if case .away = ending { return .unavailable(reason: "away") }
            return nil
        }
        return .timedOut(after: deadline.instant.since(began))
    }
}

/// Records that take their time, and sometimes are not there.
final class SeededRecords: PatientRecords {
    private let patient: Patient
    private let chance: SeededChance
    private let kept = Mutex<[String]>([])

    init(_ patient: Patient, _ chance: SeededChance) {
        (self.patient, self.chance) = (patient, chance)
    }

    /// Recorded events, in order.
    var recorded: [String] { kept.withLock { $0 } }

    func remember(_ turn: Turn, by deadline: Deadline) async throws(RecordsError) -> PatientMemory {
        if let error = await chance.pass("remember", turn.text, by: deadline) { throw error }
        return PatientMemory(patient: patient)
    }

    func record(_ turn: RecordedTurn, by deadline: Deadline) async throws(RecordsError) {
        if let error = await chance.pass("record", turn.turn.text, by: deadline) { throw error }
        kept.withLock { $0.append(turn.turn.text) }
    }

    func raise(
        _ alert: Alert,
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> TriageEffect {
        if let error = await chance.pass("raise", alert.summary, by: deadline) { throw error }
        return .written
    }

    func commit(_ turn: CommittedTurn, by deadline: Deadline) async throws(RecordsError) -> MemoryPlace? {
        if let error = await chance.pass("commit", turn.turn.text, by: deadline) { throw error }
        return nil
    }
}

/// Recall that takes its time, and sometimes is not there.
struct SeededRecall: MemoryRecall {
    let canStore = true
    private let chance: SeededChance

    init(_ chance: SeededChance) { self.chance = chance }

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> RecallResult {
        guard await chance.pass("recall", text, by: deadline) == nil else {
            throw .engineUnavailable(reason: "the seed says so")
        }
        return RecallResult()
    }

    func store(_ memory: StoredMemory, said: String, by deadline: Deadline) async throws(RecallError) -> [Float] { [] }
}
