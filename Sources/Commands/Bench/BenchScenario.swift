import Conversation
import Foundation
import HTTPClient
import Runtime

/// Something that is done over and over to see what it takes.
enum BenchScenario: String, CaseIterable, Sendable {
    /// The least that the service does: a liveness check.
    case floor
    /// The stub model asked directly: what a turn would take if the service added nothing.
    case model
    /// A whole turn without vectors.
    case turn
    /// A whole turn without vectors as OpenAI's clients ask for it, answered in one piece.
    case gateway
    /// The same, streamed.
    case gatewayStream = "gateway-stream"
    /// A whole turn with the embedding engine.
    case vectors
    /// The alarm button.
    case emergency
    /// A device's sign of life.
    case heartbeat
    /// Turns as they come in a day, whose time is the run's.
    case day
    /// The screens alone, in this process.
    case screen
    /// The scan of 1,000, 10,000 and 100,000 memories, in this process, beside numpy where Python has it.
    case recall

    /// Whether it is done over HTTP, by a service or its peer.
    var isServed: Bool { self != .screen && self != .recall }

    /// Whether a peer that does the same job has an answer to it.
    var isForPeers: Bool {
        switch self {
        case .floor, .turn, .day, .gateway, .gatewayStream: true
        case .model, .vectors, .emergency, .heartbeat, .screen, .recall: false
        }
    }

    /// The request of a call; nil for what is not served.
    func request(
        _ index: Int,
        to address: String,
        key: String,
        model: String,
        patients: [PatientID]
    ) -> OutgoingRequest? {
        let patient = patients[index % max(1, patients.count)].description
        switch self {
        case .screen, .recall: return nil
        case .floor: return OutgoingRequest(.get, address + "/healthz")
        case .model:
            let prompt = String(repeating: "x", count: 2_000)
            return post(
                model + "/chat/completions",
                key,
                ["messages": .array([["content": .string(prompt)]]), "stream": true]
            )
        case .turn, .vectors, .day:
            return post(
                address + "/api/v1/conversations/patient",
                key,
                ["patient_id": .string(patient), "message": said(index)]
            )
        case .gateway, .gatewayStream:
            let message: JSONValue = ["role": "user", "content": said(index)]
            let isStreamed = JSONValue.bool(self == .gatewayStream)
            return post(
                address + "/v1/chat/completions",
                key,
                ["model": "hearth", "user": .string(patient), "messages": .array([message]), "stream": isStreamed]
            )
        case .emergency:
            return post(address + "/api/v1/mobile/emergency", key, event(patient, [:]))
        case .heartbeat:
            let context: JSONValue = ["battery_level": .number("0.75"), "movement_detected": true]
            return post(address + "/api/v1/mobile/heartbeat", key, event(patient, ["context": context]))
        }
    }

    private func said(_ index: Int) -> JSONValue { .string("The garden is lovely today, number \(index)") }

    private func event(_ patient: String, _ more: KeyValuePairs<String, JSONValue>) -> JSONValue {
        let now = Date().formatted(.iso8601)
        let members = [("patient_id", JSONValue.string(patient)), ("timestamp", .string(now))] + more.map { ($0, $1) }
        return .object(members.map { JSONValue.Member(name: $0, value: $1) })
    }

    private func post(_ url: String, _ key: String, _ body: JSONValue) -> OutgoingRequest {
        var request = OutgoingRequest(.post, url, body: body.bytes)
        request.headers["Content-Type"] = "application/json"
        request.headers["Authorization"] = "Bearer \(key)"
        // Without a key of its own a call would be answered as the same call of the last minute.
        if self != .heartbeat, self != .model { request.headers["Idempotency-Key"] = UUID().uuidString }
        return request
    }
}
