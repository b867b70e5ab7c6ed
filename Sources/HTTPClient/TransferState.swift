import Runtime

/// The state that the loop and the reader share; its methods return the work to do after unlocking.
struct TransferState {
    /// The result of a read.
    enum Reading {
        case bytes([UInt8])
        case end
        case failed(TransferError)
        /// No bytes yet; the one-shot delivers true after a change.
        case wait(OneShot<Bool>)
    }

    /// The treatment of arriving bytes.
    enum Reception {
        case taken(wake: OneShot<Bool>?)
        /// The reader is behind; the same bytes must be offered again later.
        case holdBack
        /// More bytes arrive than the reader allows to be dropped.
        case refused
    }

    private let limit: Int
    private var waiting: [UInt8] = []
    private var reader: OneShot<Bool>?
    private var isHeldBack = false
    private var mayBeDropped: Int?
    private var end: Result<Void, TransferError>?
    /// The number of body bytes that have arrived.
    private(set) var received = 0

    /// Makes the state of a transfer without bytes.
    ///
    /// - Parameter limit: The number of bytes that may wait for the reader; one piece of any size is always accepted.
    init(limit: Int) {
        self.limit = limit
    }

    var hasEnded: Bool { end != nil }

    /// True while a reader wants the bytes.
    var isWanted: Bool { end == nil && mayBeDropped == nil }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
        if let left = mayBeDropped {
            mayBeDropped = left - bytes.count
            return left < bytes.count ? .refused : .taken(wake: nil)
        }
        guard waiting.isEmpty || waiting.count + bytes.count <= limit else {
            isHeldBack = true
            return .holdBack
        }
        waiting.append(contentsOf: bytes)
        received += bytes.count
        return .taken(wake: takeReader())
    }

    /// Drops the following bytes up to a limit; returns true if a paused peer must be resumed.
    mutating func dropRest(upTo limit: Int) -> Bool {
        defer { isHeldBack = false }
        waiting = []
        mayBeDropped = limit
        return isHeldBack
    }

    /// Records the first end; returns the reader to wake.
    mutating func finish(_ result: Result<Void, TransferError>) -> OneShot<Bool>? {
        guard end == nil else { return nil }
        end = result
        if case .failure(.cancelled) = result { waiting = [] }
        return takeReader()
    }

    /// Takes the bytes that have arrived; says whether a paused peer must be resumed.
    mutating func take() -> (Reading, mustResume: Bool) {
        if !waiting.isEmpty {
            defer { isHeldBack = false }
            let bytes = waiting
            waiting = []
            return (.bytes(bytes), mustResume: isHeldBack)
        }
        switch end {
        case .success: return (.end, mustResume: false)
        case .failure(let error): return (.failed(error), mustResume: false)
        case nil:
            precondition(reader == nil || reader?.isSettled == true, "a body has one reader")
            let arrival = OneShot<Bool>()
            reader = arrival
            return (.wait(arrival), mustResume: false)
        }
    }

    private mutating func takeReader() -> OneShot<Bool>? {
        defer { reader = nil }
        return reader
    }
}
