import Domain
import Synchronization

/// The pushes of this replica by the names of their requests, so that a telephone speaks a repeated request once.
///
/// The newest ones are remembered. A request that comes again at another replica is sent again, under the same name.
final class SentPushes: Sendable {
    private enum Progress {
        case underWay(SpokenPush)
        case taken(SpokenPush, SpokenPushReceipt)

        var push: SpokenPush {
            switch self {
            case .underWay(let push), .taken(let push, _): push
            }
        }
    }

    private static let capacity = 16_384
    private let known = Mutex(BoundedDictionary<String, Progress>(capacity: capacity))

    /// Sends a push unless its request has been sent; returns the receipt, and true if it is that of an earlier attempt.
    ///
    /// - Throws: ``APIError/keyReused`` when the request named other words, ``APIError/inProgress`` while it is being
    ///   sent, and what the body throws.
    func once(
        _ push: SpokenPush,
        _ send: () async throws(SpokenPushFailure) -> SpokenPushReceipt
    ) async throws(APIError) -> (receipt: SpokenPushReceipt, isReplay: Bool) {
        if let receipt = try begin(push) { return (receipt, true) }
        do throws(SpokenPushFailure) {
            let receipt = try await send()
            known.withLock { $0[push.request] = .taken(push, receipt) }
            return (receipt, false)
        } catch {
            known.withLock { $0[push.request] = nil }
            throw APIError(error)
        }
    }

    /// Returns the receipt of an earlier attempt; nil if there was none, and then a new attempt has begun.
    private func begin(_ push: SpokenPush) throws(APIError) -> SpokenPushReceipt? {
        let earlier = known.withLock { known in
            let earlier = known[push.request]
            if earlier == nil { known[push.request] = .underWay(push) }
            return earlier
        }
        guard let earlier else { return nil }
        guard earlier.push == push else { throw .keyReused }
        guard case .taken(_, let receipt) = earlier else { throw .inProgress }
        return receipt
    }
}
