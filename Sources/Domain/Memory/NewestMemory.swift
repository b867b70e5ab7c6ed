package import Runtime

/// The position of a patient's newest memory in the record, passed from the reading of the turn's data to recall.
///
/// Recall runs at the same time as that reading. With the position, recall need not ask the record for memories that
/// are newer than those it has loaded.
package final class NewestMemory: Sendable {
    /// The instant before the record was asked.
    package let askedAt: Instant
    private let told = OneShot<Int64?>()

    package init(askedAt: Instant) {
        self.askedAt = askedAt
    }

    /// Sets the position: 0 without any memory, nil when it could not be read; only the first call counts.
    package func tell(_ position: Int64?) { told.settle(position) }

    /// Waits for the position, once and at the longest until a deadline; nil when it is not known by then.
    package func position(by deadline: Deadline) async -> Int64? {
        let alarm = TaskAlarm(at: deadline) { [told] in told.settle(nil) }
        defer { alarm.cancel() }
        return await told.value(ifCancelled: nil)
    }
}
