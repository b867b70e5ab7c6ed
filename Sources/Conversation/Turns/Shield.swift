import Runtime

/// Runs work to its end on the caller's event loop, even when the caller is cancelled.
///
/// Serves writes that must complete once begun: a client that disconnects must not cancel its alert. The work keeps
/// its own deadlines.
func shielded<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await Task(executorPreference: EventLoop.current) { await work() }.value
}
