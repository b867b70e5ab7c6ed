package import Runtime
import Synchronization

/// Sends requests to other services over curl, on the event loops.
///
/// A request is carried by the loop that its caller runs on, so that a turn never changes threads. Each loop has several
/// multi handles ("shards"): curl's work for one grows with the connections that it holds. The first shards are
/// filled first, so that light traffic always finds a warm connection.
///
/// HTTP/2 over TLS by ALPN, HTTP/1.1 otherwise. Redirects are answers like any other. A connection to a peer is used
/// again; a request that may not be repeated is not sent twice, even when such a connection turns out to be dead.
package final class HTTPClient: Service, HTTPSending {
    /// A shard takes this many transfers before the next is used.
    private static let comfortable = 32

    package let name = "http client"
    private let loops: EventLoopGroup
    private let shards: [[Shard]]
    private let settings: HTTPClientSettings

    /// Makes a client; nothing is connected until the first request.
    package init(on loops: EventLoopGroup, _ settings: HTTPClientSettings = HTTPClientSettings()) {
        precondition(settings.transfers > 0 && settings.shardsPerLoop > 0, "a client carries at least one transfer")
        self.loops = loops
        self.settings = settings
        let count = min(settings.shardsPerLoop, max(1, settings.transfers / loops.loops.count))
        let places = count * loops.loops.count
        let capacity = (settings.transfers + places - 1) / places
        shards = loops.loops.map { loop in
            (0..<count).map { _ in Shard(on: loop, capacity: capacity, settings: settings) }
        }
    }

    deinit {
        for shard in shards.joined() { shard.onLoop { $0.close() } }
    }

    /// How many transfers are in flight.
    package var transfers: Int { shards.joined().reduce(0) { $0 + $1.transfers } }

    /// Sends a request and returns when the head of the answer has arrived; any status is an answer.
    ///
    /// Costs about 30 µs of CPU. Cancelling the task closes the transfer at once.
    ///
    /// - Parameter deadline: When the whole answer, its body included, must have arrived.
    package func send(
        _ request: OutgoingRequest,
        by deadline: Deadline
    ) async throws(TransferError) -> IncomingResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let shard = try reserve()
        let transfer = Transfer(request, on: shard, bufferedBytes: settings.bufferedBytes, by: deadline)
        let body = ResponseBody(transfer)
        shard.onLoop { $0.start(transfer) }
        let head = await transfer.head.value(ifCancelled: .failure(.cancelled))
        return IncomingResponse(head: try head.get(), body: body)
    }

    package func start() async throws {}

    /// Refuses new requests, waits for those in flight, closes what is left at the deadline.
    package func drain(by deadline: Deadline) async {
        await withTaskGroup(of: Void.self) { group in
            for shard in shards.joined() { group.addTask { await shard.drain(by: deadline) } }
        }
    }

    /// Finds a shard with room, on the caller's loop if it can.
    private func reserve() throws(TransferError) -> Shard {
        let own = loops.nearest.index
        for offset in 0..<shards.count {
            if let shard = reserve(among: shards[(own + offset) % shards.count]) { return shard }
        }
        throw .tooManyTransfers(limit: settings.transfers)
    }

    private func reserve(among shards: [Shard]) -> Shard? {
        if let shard = shards.first(where: { $0.reserve(below: Self.comfortable) }) { return shard }
        return shards.sorted { $0.transfers < $1.transfers }.first { $0.reserve() }
    }
}
