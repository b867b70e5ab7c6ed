import Conversation
import Domain
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

/// Alerts as operators work on them.
@Suite(.timeLimit(.minutes(1)))
struct AlertQueueTests {
    private static let category = Domain.Category.fall

    @discardableResult
    private func raise(_ level: Level, _ scratch: ScratchRecords, secondsAgo: Double = 0) async throws -> AlertID {
        let alert = Alert(level: level, category: Self.category, finding: nil, summary: "{name} fell.", lateBy: 0)
        let raised = RaisedAlert(alert, of: scratch.patient.id, tenant: scratch.tenant)
        _ = try await scratch.records.raise(raised, lease: nil, by: .soon)
        try await scratch.database.run(
            """
            UPDATE hearth.alerts SET created_at = created_at - interval '\(secondsAgo) seconds' WHERE id = '\(alert.id)'
            """
        )
        return alert.id
    }

    private func acknowledge(_ alert: AlertID, _ scratch: ScratchRecords, note: String = "") async throws {
        let by = Acknowledgement(by: nil, operatorName: "Ana", way: "console", note: note)
        let outcome = try await scratch.records.acknowledge(
            alert,
            of: scratch.patient.id,
            tenant: scratch.tenant,
            by,
            by: .soon
        )
        guard case .taken = outcome else { throw TestFailure("\(outcome)") }
    }

    private func other(than scratch: ScratchRecords) async throws -> TenantID {
        let tenant = TenantID()
        try await scratch.records.openTenant(tenant, name: "Other", by: .soon)
        return tenant
    }

    @Test func `the queue has what nobody has taken on, the least time left first and what has no clock last`()
        async throws
    {
        try await withScratchRecords { scratch in
            let low = try await raise(.low, scratch, secondsAgo: 90_000)
            let medium = try await raise(.medium, scratch, secondsAgo: 14_370)
            let high = try await raise(.high, scratch, secondsAgo: 10)
            let critical = try await raise(.critical, scratch, secondsAgo: 20)
            let taken = try await raise(.critical, scratch, secondsAgo: 50)
            try await acknowledge(taken, scratch)
            let queue = try await scratch.records.unacknowledgedAlerts(of: scratch.tenant, limit: 9, by: .soon)
            #expect(queue.map(\.line.id) == [medium, critical, high, low], "30 s, 40 s and 290 s are left")
            #expect(queue.map { $0.dueAt == nil } == [false, false, false, true])
            #expect(queue.allSatisfy { $0.patientName == "Maggie" && $0.nextStepAt != nil && $0.told == 0 })
            let first = try await scratch.records.unacknowledgedAlerts(of: scratch.tenant, limit: 1, by: .soon)
            #expect(first.map(\.line.id) == [medium])
            let others = try await scratch.records.acknowledgedAlerts(of: scratch.tenant, limit: 9, by: .soon)
            #expect(others.map(\.line.id) == [taken] && others.allSatisfy { $0.nextStepAt == nil })
        }
    }

    @Test func `another tenant sees none of it and can hand nothing over`() async throws {
        try await withScratchRecords { scratch in
            let alert = try await raise(.high, scratch)
            try await acknowledge(alert, scratch)
            try await raise(.high, scratch)
            let other = try await other(than: scratch)
            #expect(try await scratch.records.unacknowledgedAlerts(of: other, limit: 9, by: .soon) == [])
            #expect(try await scratch.records.acknowledgedAlerts(of: other, limit: 9, by: .soon) == [])
            #expect(try await scratch.records.sheet(of: alert, tenant: other, by: .soon) == nil)
            #expect(try await scratch.records.sheet(of: AlertID(), tenant: scratch.tenant, by: .soon) == nil)
            let handover = AlertHandover(from: "Mallory", to: "Eve", note: "mine")
            #expect(try await !scratch.records.handOver(alert, tenant: other, handover, by: .soon))
            let sheet = try #require(try await scratch.records.sheet(of: alert, tenant: scratch.tenant, by: .soon))
            #expect(sheet.handoverNote == "")
        }
    }

    @Test func `a sheet has what was said around the alert, in order, and a day of it at most`() async throws {
        try await withScratchRecords { scratch in
            let now = Date()
            let alert = Alert(level: .high, category: .fall, finding: nil, summary: "A fall.", lateBy: 0)
            let conversation = ConversationID()
            for minute in -13...12 where minute != 0 {
                let at = now.addingTimeInterval(Double(minute) * 60)
                let turn = scratch.turn("\(minute)", spokenAt: at)
                try await scratch.records.record(turn.recorded(in: conversation), by: .soon)
            }
            let old = scratch.turn("the day before", spokenAt: now.addingTimeInterval(-90_000))
            try await scratch.records.record(old.recorded(), by: .soon)
            let turn = scratch.turn("I fell", spokenAt: now)
            try await scratch.records.record(turn.recorded(in: conversation, alerts: [alert]), by: .soon)
            let sheet = try #require(
                try await scratch.records.sheet(of: alert.id, tenant: scratch.tenant, by: .soon)
            )
            let before = (-9...(-1)).map(String.init)
            #expect(sheet.messages.map(\.said) == before + ["I fell"] + (1...10).map(String.init))
            #expect(sheet.message == turn.id && sheet.summary == "A fall." && sheet.rule == nil)
            #expect(sheet.history == [], "nobody has been told yet")
        }
    }

    @Test func `an alert that no message decided has what was said about its time`() async throws {
        try await withScratchRecords { scratch in
            let alert = try await raise(.critical, scratch)
            try await scratch.records.record(scratch.turn("Good evening").recorded(), by: .soon)
            let old = scratch.turn("last week", spokenAt: Date(timeIntervalSinceNow: -600_000))
            try await scratch.records.record(old.recorded(), by: .soon)
            let sheet = try #require(try await scratch.records.sheet(of: alert, tenant: scratch.tenant, by: .soon))
            #expect(sheet.messages.map(\.said) == ["Good evening"] && sheet.message == nil)
            #expect(sheet.summary == "Maggie fell.")
        }
    }

    @Test func `who took an alert on and to whom it was handed over is in its history`() async throws {
        try await withScratchRecords { scratch in
            let alert = try await raise(.high, scratch)
            let early = AlertHandover(from: "Ana", to: "Ben", note: "nobody has it yet")
            #expect(try await !scratch.records.handOver(alert, tenant: scratch.tenant, early, by: .soon))
            try await acknowledge(alert, scratch, note: "Calling her.")
            let handover = AlertHandover(from: "Ana", to: "Ben", note: "She does not answer.")
            #expect(try await scratch.records.handOver(alert, tenant: scratch.tenant, handover, by: .soon))
            let sheet = try #require(try await scratch.records.sheet(of: alert, tenant: scratch.tenant, by: .soon))
            #expect(sheet.handoverNote == "She does not answer.")
            #expect(sheet.history.map(\.state) == ["recorded", "acknowledged", "handed_over"])
            #expect(sheet.history.map(\.actor).suffix(2) == ["operator Ana", "operator Ana"])
            #expect(sheet.history.last?.note == "to Ben", "the note itself may be about the patient")
        }
    }
}
