/// What a replica has to do to be up to date, and whether somebody does it already.
///
/// A value behind a lock: errands that come while others are run are run after them, by the same task.
struct ReleaseErrands: Sendable {
    /// One thing to do; of several, the first is done first.
    enum Errand: Int, Comparable, CaseIterable {
        /// Look which release is the newest.
        case releases
        /// Read the files again.
        case files
        /// Write down what turns of a trial came to, and weigh it.
        case outcomes

        static func < (left: Errand, right: Errand) -> Bool { left.rawValue < right.rawValue }
    }

    private var wanted: Set<Errand> = []
    private var isRunning = false
    private var isStopped = false

    /// Asks for an errand; returns whether the caller must begin to run them.
    mutating func ask(for errand: Errand) -> Bool {
        guard !isStopped else { return false }
        wanted.insert(errand)
        defer { isRunning = true }
        return !isRunning
    }

    /// The next errand; nil when there is none, and then nobody runs them any more.
    mutating func next() -> Errand? {
        guard let errand = wanted.min(), !isStopped else {
            isRunning = false
            return nil
        }
        return wanted.remove(errand)
    }

    /// Takes no more errands.
    mutating func stop() { isStopped = true }
}
