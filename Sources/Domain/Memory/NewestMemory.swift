package import Runtime

/// The position of a patient's newest memory in the record, as the reading of the turn's data tells it.
///
/// Recall runs beside that reading. With the position it need not ask the record whether there are newer memories than it
/// has loaded.
package final class NewestMemory: Sendable {
    /// The instant before the record was asked.
    package let askedAt: Instant
    private let told = OneShot<Int64?>()

    package init(askedAt: Instant) {
        self.askedAt = askedAt
    }

    /// Tells the position, 0 without any memory, or nil when it could not be read; the first call counts.
    package func tell(_ position: Int64?) { told.settle(position) }

    /// Waits for the position, once and at the longest until a deadline; nil when it is not known by then.
    package func position(by deadline: Deadline) async -> Int64? {
        let alarm = TaskAlarm(at: deadline) { [told] in told.settle(nil) }
        defer { alarm.cancel() }
        return await told.value(ifCancelled: nil)
    }
}
