import Runtime

/// Waits until a condition holds, looking every few milliseconds, so that the processor is left to what brings it
/// about.
///
/// - Returns: False when it does not hold within the time, which is never unless something hangs.
@discardableResult
package func eventually(
    within patience: Duration = .seconds(60),
    _ holds: () async throws -> Bool
) async throws -> Bool {
    let deadline = Deadline(after: patience)
    while try await !holds() {
        guard !deadline.hasPassed() else { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
    return true
}
