import Cryptography
import Domain
import Foundation
import Runtime
import Synchronization

/// Hashes and checks passwords on threads of their own, behind a bounded queue.
///
/// A hash takes 19 MiB and about 30 ms of a core. There is a thread less than cores, and the kernel gives them what all other
/// threads leave over. So a flood of sign-ins is refused beyond what the machine has to spare, and no turn waits for it.
final class PasswordThread: Sendable {
    /// Time for a place in the queue and the work.
    private static let limit = Duration.seconds(4)
    /// The hash of a secret that nobody knows, for accounts without a password and addresses without an account.
    private static let nobody = PasswordHash(of: RandomToken.text())

    /// Sign-ins that may be in progress at once.
    private static let places = 64
    /// Most threads, at 19 MiB each.
    private static let mostThreads = 8

    private let threads = WorkerThreads(
        name: "passwords",
        count: min(max(1, ProcessInfo.processInfo.activeProcessorCount - 1), mostThreads),
        capacity: places,
        niceness: 19
    )
    private let admitted = Atomic(0)

    /// Does what a sign-in does before and while its password is checked, if there is a place for it.
    ///
    /// A sign-in without a place costs nothing, and is not counted as an attempt.
    func admit<Value>(_ work: () async throws(APIError) -> Value) async throws(APIError) -> Value {
        defer { admitted.subtract(1, ordering: .relaxed) }
        guard admitted.add(1, ordering: .relaxed).newValue <= Self.places else { throw .overloaded }
        return try await work()
    }

    /// Makes the hash of nobody before the first sign-in, which would otherwise take longer than the others.
    func prepare() async {
        _ = try? await threads.run(by: Deadline(after: Self.limit)) { Self.nobody.text.isEmpty }
    }

    /// Returns whether a password has a hash; without a hash the same work is done, and the answer is no.
    func isPassword(_ password: String, of hash: String?) async throws(APIError) -> Bool {
        try await run {
            let stored = hash.map { PasswordHash(text: $0) } ?? Self.nobody
            return stored.isHash(of: password) && hash != nil
        }
    }

    /// Returns the hash of a new password.
    func hash(of password: String) async throws(APIError) -> String {
        try await run { PasswordHash(of: password).text }
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(APIError) -> Value {
        do throws(WorkerError) {
            return try await threads.run(by: Deadline(after: Self.limit), work)
        } catch .cancelled {
            throw .cancelled
        } catch {
            throw .overloaded
        }
    }
}
