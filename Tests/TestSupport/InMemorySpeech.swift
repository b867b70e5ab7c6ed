package import Domain
package import Foundation
package import Runtime
import Synchronization

/// Words that are to be heard and their sound, in memory.
package final class InMemorySpeech: SpeechRecords {
    private struct Row {
        let speech: Speech
        var clip: SpeechClip?
        var usedAt: Date
        var listeners: Set<PatientID>

        var size: Int { speech.text.utf8.count + (clip?.bytes.count ?? 0) + 200 }
    }

    private struct State {
        var patients: Set<PatientID>
        var rows: [SpeechAddress: Row] = [:]
        var failure: RecordsError?
        var calls = 0
    }

    private let state: Mutex<State>

    /// Makes records that know some patients.
    package init(knowing patients: Set<PatientID>) { state = Mutex(State(patients: patients)) }

    /// Number of calls to the records.
    package var calls: Int { state.withLock { $0.calls } }

    /// Sets the error that every call throws; nil lets them through.
    package func fail(_ failure: RecordsError?) { state.withLock { $0.failure = failure } }

    /// Erases a patient, with what only this one was to hear.
    package func erase(_ patient: PatientID) {
        state.withLock { state in
            state.patients.remove(patient)
            for address in state.rows.keys { state.rows[address]?.listeners.remove(patient) }
            state.rows = state.rows.filter { !$0.value.listeners.isEmpty }
        }
    }

    package func order(
        _ speech: Speech,
        at address: SpeechAddress,
        for patient: PatientID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> SpeechClip? {
        try ask { state throws(RecordsError) in
            guard state.patients.contains(patient) else { throw .unknownPatient(patient) }
            var row = state.rows[address] ?? Row(speech: speech, usedAt: date, listeners: [])
            row.usedAt = max(row.usedAt, date)
            row.listeners.insert(patient)
            state.rows[address] = row
            return row.clip
        }
    }

    package func speech(
        at address: SpeechAddress,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> StoredSpeech? {
        try ask { state throws(RecordsError) in
            guard let row = state.rows[address] else { return nil }
            if row.usedAt <= date.addingTimeInterval(-3600) { state.rows[address]?.usedAt = date }
            return StoredSpeech(row.speech, row.clip)
        }
    }

    package func store(
        _ clip: SpeechClip,
        at address: SpeechAddress,
        by deadline: Deadline
    ) async throws(RecordsError) {
        try ask { state throws(RecordsError) in
            if state.rows[address]?.clip == nil { state.rows[address]?.clip = clip }
        }
    }

    package func trimSpeech(to bytes: Int, by deadline: Deadline) async throws(RecordsError) -> Int {
        try ask { state throws(RecordsError) in
            var (whole, removed) = (0, 0)
            for (address, row) in state.rows.sorted(by: { $0.value.usedAt > $1.value.usedAt }) {
                whole += row.size
                guard whole > bytes else { continue }
                state.rows[address] = nil
                removed += 1
            }
            return removed
        }
    }

    private func ask<Value: Sendable>(
        _ body: (inout State) throws(RecordsError) -> Value
    ) throws(RecordsError) -> Value {
        try state.withLock { state throws(RecordsError) in
            state.calls += 1
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }
}
