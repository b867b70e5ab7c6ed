import Synchronization

/// What the stages of one piece of work did, and when: the ledger of its budget.
package final class Trace: Sendable {
    /// How a stage ended.
    package enum Outcome: String, Sendable, Codable {
        case ok, degraded, refused, failed, cancelled
    }

    /// One stage.
    package struct Span: Sendable, Equatable, Codable {
        /// The stage's name, as in metrics and `Server-Timing`.
        package let stage: String
        /// From the trace's start to the stage's.
        package let start: Duration
        /// How long the stage took.
        package let duration: Duration
        /// How it ended.
        package let outcome: Outcome
        /// A short fact about it, without patient text; empty when there is none.
        package let note: String

        /// Makes a span from its parts.
        package init(stage: String, start: Duration, duration: Duration, outcome: Outcome, note: String) {
            self.stage = stage
            self.start = start
            self.duration = duration
            self.outcome = outcome
            self.note = note
        }
    }

    /// When the work began.
    package let start: Instant
    private let time: any TimeSource
    /// In the order in which they began, and of two that began at once by name.
    private let recorded = Mutex<[Span]>([])

    /// Begins a trace.
    ///
    /// - Parameter start: When the work began, if that was before now; a later instant is taken for now.
    package init(from start: Instant? = nil, time: any TimeSource = SystemTime()) {
        self.time = time
        let now = time.now
        self.start = min(start ?? now, now)
    }

    /// The stages that have ended, in the order in which they began.
    package var spans: [Span] { recorded.withLock { $0 } }

    /// From the trace's start until now.
    package var elapsed: Duration { time.now.since(start) }

    /// Runs a stage and records it, whether it returns or throws.
    package func stage<Value, Failure: Error>(
        _ stage: String,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let began = time.now
        do {
            let value = try await body()
            record(stage, from: began)
            return value
        } catch {
            record(stage, from: began, .failed, note: "\(error)")
            throw error
        }
    }

    /// Records a stage that began at an instant and ended at another, now unless given.
    package func record(
        _ stage: String,
        from began: Instant,
        to ended: Instant? = nil,
        _ outcome: Outcome = .ok,
        note: String = ""
    ) {
        let span = Span(
            stage: stage,
            start: began.since(start),
            duration: (ended ?? time.now).since(began),
            outcome: outcome,
            note: note
        )
        recorded.withLock { spans in
            let earlier = spans.lastIndex { ($0.start, $0.stage) <= (span.start, span.stage) }
            spans.insert(span, at: earlier.map { $0 + 1 } ?? 0)
        }
    }

    /// The value of a `Server-Timing` header: each stage's milliseconds and when it began, then the whole.
    ///
    /// `start` is an extension parameter, which readers that do not know it leave out (Server Timing, W3C, section 3.1).
    package var serverTiming: String {
        let spans = spans
        var text: [UInt8] = []
        text.reserveCapacity(spans.count * 32 + 32)
        for span in spans {
            text.append(span.stage)
            text.append(";dur=")
            text.appendMilliseconds(span.duration, digits: 2)
            text.append(";start=")
            text.appendMilliseconds(span.start, digits: 2)
            text.append(", ")
        }
        text.append("total;dur=")
        text.appendMilliseconds(elapsed, digits: 2)
        return String(decoding: text, as: UTF8.self)
    }
}
