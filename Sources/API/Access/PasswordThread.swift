import Cryptography
import Domain
import Foundation
import Runtime

/// Hashes and checks passwords on threads of their own, behind a bounded queue.
///
/// A hash takes 19 MiB and about 30 ms of a core. There is a thread less than cores, and the kernel gives them what all other
/// threads leave over. So a flood of sign-ins is refused beyond what the machine has to spare, and no turn waits for it.
final class PasswordThread: Sendable {
    /// Time for a place in the queue and the work.
    private static let limit = Duration.seconds(4)
    /// The hash of a secret that nobody knows, for accounts without a password and addresses without an account.
    private static let nobody = PasswordHash(of: RandomToken.text())

    /// Most threads, at 19 MiB each.
    private static let mostThreads = 8

    private let threads = WorkerThreads(
        name: "passwords",
        count: min(max(1, ProcessInfo.processInfo.activeProcessorCount - 1), mostThreads),
        capacity: 64,
        niceness: 19
    )

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
