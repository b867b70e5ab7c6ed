import Conversation
import Evaluation
import Foundation
import HTTPServing
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import API

@Suite struct IdempotencyTests {
    private static let path = "/api/v1/conversations/patient"

    @Test func `the same key and body get the stored answer`() async throws {
        let bench = try await Bench()
        let headers = [("Idempotency-Key", "abc-1")]
        let first = try await bench.post(Self.path, PatientMessageTests.body("hello"), headers: headers)
        let second = try await bench.post(Self.path, PatientMessageTests.body("hello"), headers: headers)
        #expect(first.headers["Idempotent-Replayed"] == nil)
        #expect(second.headers["Idempotent-Replayed"] == "true")
        #expect(second.status == 200)
        #expect(first.json == second.json)
    }

    @Test func `another spelling of the same body is the same body`() async throws {
        let bench = try await Bench()
        let headers = [("Idempotency-Key", "abc-1")]
        _ = try await bench.post(Self.path, PatientMessageTests.body("caf\\u00e9"), headers: headers)
        let spelled = #" {"retry_count":1, "message":"café", "patient_id":"\#(Bench.patient.uppercased())"}"#
        let second = try await bench.post(Self.path, spelled, headers: headers)
        #expect(second.headers["Idempotent-Replayed"] == "true")
    }

    @Test(
        arguments: [
            #"{"patient_id":"$P","message":"hello there"}"#,
            #"{"patient_id":"$P","message":"hello","context":{"triggered_by":"manual"}}"#,
            #"{"patient_id":"$P","message":"hello","timestamp":"$T"}"#,
        ]
    )
    func `the same key with another body is refused`(other: String) async throws {
        let bench = try await Bench()
        let headers = [("Idempotency-Key", "abc-1")]
        _ = try await bench.post(Self.path, PatientMessageTests.body("hello"), headers: headers)
        let body = other.replacing("$P", with: Bench.patient).replacing("$T", with: RFC3339.text(bench.time.date))
        let second = try await bench.post(Self.path, body, headers: headers)
        #expect(second.status == 409)
        #expect(second.code == "idempotency_key_reused")
    }

    @Test func `a message_id is a key too, and the answer keeps it`() async throws {
        let bench = try await Bench()
        let id = UUID().uuidString
        let first = try await bench.post(Self.path, PatientMessageTests.body("hello", #","message_id":"\#(id)""#))
        #expect(first.json["data"]?["message_id"]?.string == id.lowercased())
        let lower = PatientMessageTests.body("hello", #","message_id":"\#(id.lowercased())""#)
        let second = try await bench.post(Self.path, lower)
        #expect(second.headers["Idempotent-Replayed"] == "true")
    }

    @Test func `one message_id under two keys is two messages, each recorded`() async throws {
        let bench = try await Bench()
        let body = PatientMessageTests.body("I fell", #","message_id":"\#(UUID().uuidString)""#)
        for key in ["one", "two"] {
            let answer = try await bench.post(Self.path, body, headers: [("Idempotency-Key", key)])
            #expect(answer.json["data"]?["degraded"] == [])
            #expect(answer.json["data"]?["alert_sent"] == true)
        }
        #expect(bench.records.alerts(of: DemoHousehold.patient.id, tenant: DemoHousehold.tenant).count == 2)
    }

    @Test func `a key names its message, however often it is sent`() async throws {
        let turns = RecordingTurns()
        let bench = try await Bench(turns: turns)
        for key in ["a", "a", "b"] {
            let headers = [("Idempotency-Key", key)]
            _ = try await bench.post(Self.path, PatientMessageTests.body("hello"), headers: headers)
        }
        let names = turns.asked.withLock { $0.map(\.turn.id) }
        #expect(names[0] == names[1] && names[0] != names[2])
    }

    @Test func `without a key each message is its own`() async throws {
        let bench = try await Bench()
        let first = try await bench.post(Self.path, PatientMessageTests.body("hello"))
        let second = try await bench.post(Self.path, PatientMessageTests.body("hello"))
        #expect(first.json["data"]?["message_id"] != second.json["data"]?["message_id"])
        #expect(second.headers["Idempotent-Replayed"] == nil)
    }

    @Test(arguments: ["a", String(repeating: "~", count: 255)])
    func `a key of 1 to 255 visible characters is taken`(key: String) async throws {
        let bench = try await Bench()
        let headers = [("Idempotency-Key", key)]
        #expect(try await bench.post(Self.path, PatientMessageTests.body("a"), headers: headers).status == 200)
    }

    @Test(arguments: ["", "a b", "é", "a\tb", "\u{7F}", String(repeating: "a", count: 256)])
    func `any other key is refused`(key: String) async throws {
        let bench = try await Bench()
        let answer = try await bench.post(
            Self.path,
            PatientMessageTests.body("a"),
            headers: [("Idempotency-Key", key)]
        )
        #expect(answer.status == 422)
        #expect(answer.field == "Idempotency-Key")
    }

    @Test func `two keys are refused`() async throws {
        let bench = try await Bench()
        let headers = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
        #expect(try await bench.post(Self.path, PatientMessageTests.body("a"), headers: headers).status == 422)
    }
}
