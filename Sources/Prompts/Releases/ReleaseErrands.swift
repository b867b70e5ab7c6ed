/// The pending updates of a replica, and whether a task performs them.
///
/// A value behind a lock: updates requested during a run are performed next by the same task.
struct ReleaseErrands: Sendable {
    /// One update; the first pending one is performed first.
    enum Errand: Int, Comparable, CaseIterable {
        /// Find the newest release.
        case releases
        /// Reload the files.
        case files
        /// Store the outcomes of a trial's turns and evaluate them.
        case outcomes

        static func < (left: Errand, right: Errand) -> Bool { left.rawValue < right.rawValue }
    }

    private var wanted: Set<Errand> = []
    private var isRunning = false
    private var isStopped = false

    /// Requests an update; returns true if the caller must start the task.
    mutating func ask(for errand: Errand) -> Bool {
        guard !isStopped else { return false }
        wanted.insert(errand)
        defer { isRunning = true }
        return !isRunning
    }

    /// The next update; nil ends the task.
    mutating func next() -> Errand? {
        guard let errand = wanted.min(), !isStopped else {
            isRunning = false
            return nil
        }
        return wanted.remove(errand)
    }

    /// Accepts no more updates.
    mutating func stop() { isStopped = true }
}
