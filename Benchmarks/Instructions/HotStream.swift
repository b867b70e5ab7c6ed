import Conversation
import Domain
import HTTPClient
import Models
import Runtime
import Synchronization

/// A hosted model's reply: the request that asks for it is written, and each token is read as it arrives; without a
/// network.
struct HotStream {
    private static let times = 20
    private static let prompt = Prompt(
        messages: [
            .init(.system, String(repeating: "You are Milo, a kind companion of an older adult. ", count: 40)),
            .init(.user, SaidTexts.messages[3]), .init(.assistant, SaidTexts.replies[1]),
            .init(.user, SaidTexts.messages[1]),
        ],
        version: "instructions"
    )

    private let model = HostedModel(
        .init(base: "http://model/v1", model: "companion", key: "key", dialect: .openAI),
        over: ReadyAnswers()
    )

    /// Counts the instructions of one reply.
    func count(on loop: EventLoop) async throws {
        try await withTaskExecutorPreference(loop) {
            try await InstructionCount("stream", times: Self.times).of {
                let reply = try await model.generate(Self.prompt, by: Deadline(after: .seconds(120)))
                while try await reply.next() != nil {}
            }
        }
    }
}

/// Answers each request with the same stream.
private struct ReadyAnswers: HTTPTransport {
    func send(_ request: OutgoingRequest, by deadline: Deadline) async throws(TransferError) -> IncomingResponse {
        let head = ResponseHead(
            status: 200,
            headers: HeaderFields(["Content-Type": "text/event-stream"]),
            version: "1.1",
            timings: TransferTimings()
        )
        return IncomingResponse(head: head, body: ResponseBody(ReadyBody()))
    }
}

/// A body of which every token arrives by itself.
private final class ReadyBody: BodySource {
    private let left = Mutex(SaidTexts.stream[...])

    func next() async throws(TransferError) -> [UInt8]? { left.withLock { $0.popFirst() } }

    func dropRest() {}

    func stop() {}
}
