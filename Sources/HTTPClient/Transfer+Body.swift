import Runtime

/// The reader's side of a transfer.
extension Transfer: BodySource {
    func next() async throws(TransferError) -> [UInt8]? {
        guard !Task.isCancelled else {
            stop()
            throw .cancelled
        }
        while true {
            switch take() {
            case .bytes(let bytes): return bytes
            case .end: return nil
            case .failed(let error): throw error
            case .wait(let arrival):
                guard await arrival.value(ifCancelled: false) else {
                    stop()
                    throw .cancelled
                }
            }
        }
    }

    /// Drops the remaining bytes; closes the transfer after 64 KiB or half a second.
    func dropRest() {
        dropRest(upTo: 64 << 10, by: Deadline(after: .milliseconds(500)))
    }
}
