import Runtime

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

    func pour(
        into reader: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransferError) -> Bool {
        guard !Task.isCancelled else { throw cancelled() }
        while true {
            switch take(pouring: reader) {
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
