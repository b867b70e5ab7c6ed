import Runtime
import Synchronization

/// One request and its response, shared by the loop that moves bytes and the reading task.
final class Transfer: Sendable {
    let request: OutgoingRequest
    let deadline: Deadline
    let started = Instant.now
    /// The response head, or the reason why there is none.
    let head = OneShot<Result<ResponseHead, TransferError>>()
    private let shard: Shard
    private let state: Mutex<TransferState>

    init(_ request: OutgoingRequest, on shard: Shard, bufferedBytes: Int, by deadline: Deadline) {
        self.request = request
        self.shard = shard
        self.deadline = deadline
        state = Mutex(TransferState(limit: bufferedBytes))
    }

    /// The number of body bytes that have arrived.
    var received: Int { state.withLock { $0.received } }

    /// True once nothing more will arrive.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The reader's side: returns the present bytes or the end.
    ///
    /// - Parameter consumer: Receives arriving bytes while there are none yet.
    func take(consumer: TransferState.Consumer? = nil) -> TransferState.Reading {
        let (reading, mustResume) = state.withLock { $0.take(consumer: consumer) }
        if mustResume { shard.onLoop { $0.resume(self) } }
        return reading
    }

    /// The reader's side: closes the transfer unless it has ended.
    func stop() {
        guard state.withLock({ $0.isWanted }) else { return }
        shard.onLoop { $0.stop(self) }
    }

    /// The reader's side: drops the remaining bytes up to a limit and a deadline, then closes the transfer.
    func dropRest(upTo limit: Int, by deadline: Deadline) {
        let mustResume: Bool? = state.withLock { $0.isWanted ? $0.dropRest(upTo: limit) : nil }
        guard let mustResume else { return }
        shard.onLoop { shard in
            shard.end(self, by: deadline)
            if mustResume { shard.resume(self) }
        }
    }

    /// The loop's side: accepts bytes, or tells curl to pause or stop.
    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferState.Reception {
        let reception = state.withLock { $0.receive(bytes) }
        switch reception {
        case .taken(let reader): reader?.arrival.settle(true)
        case .deliver(let consumer):
            if consumer(bytes) { state.withLock { $0.consumerFinished() }?.arrival.settle(true) }
        case .pauseSending, .refused: break
        }
        return reception
    }

    /// The loop's side: records the end of the transfer.
    func finish(_ result: Result<Void, TransferError>) {
        let reader = state.withLock { $0.finish(result) }
        if case .failure(let error) = result { head.settle(.failure(error)) }
        reader?.arrival.settle(true)
    }
}

/// The reader's side of a transfer.
extension Transfer: BodySource {
    func next() async throws(TransferError) -> [UInt8]? {
        guard !Task.isCancelled else { throw cancelled() }
        while true {
            switch take() {
            case .bytes(let bytes): return bytes
            case .end: return nil
            case .failed(let error): throw error
            case .wait(let arrival): guard await arrival.value(ifCancelled: false) else { throw cancelled() }
            case .enough: continue
            }
        }
    }

    func deliver(
        to reader: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransferError) -> Bool {
        guard !Task.isCancelled else { throw cancelled() }
        while true {
            switch take(consumer: reader) {
            case .bytes(let bytes): if bytes.withUnsafeBytes({ reader($0) }) { return true }
            case .enough: return true
            case .end: return false
            case .failed(let error): throw error
            case .wait(let arrival): guard await arrival.value(ifCancelled: false) else { throw cancelled() }
            }
        }
    }

    /// Drops the remaining bytes; closes the transfer after 64 KiB or half a second.
    func dropRest() {
        dropRest(upTo: 64 << 10, by: Deadline(after: .milliseconds(500)))
    }

    /// Closes the transfer, whose reader was cancelled.
    private func cancelled() -> TransferError {
        stop()
        return .cancelled
    }
}
