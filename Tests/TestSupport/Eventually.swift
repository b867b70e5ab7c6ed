import Runtime

/// Waits until a condition holds; checks it only every few milliseconds, to leave the processor to the work under test.
///
/// - Returns: False when it does not hold within the time, which happens only if something hangs.
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
