import Runtime

/// Runs work to its end on the caller's event loop even when the caller is cancelled.
///
/// For what must be recorded once it has begun: a client that hangs up does not take its alert with it. The work keeps
/// its own deadlines.
func shielded<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await Task(executorPreference: EventLoop.current) { await work() }.value
}
