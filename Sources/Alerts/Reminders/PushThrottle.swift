import Domain
import Runtime
import Synchronization

/// Limits the pushes to each patient within a minute; of many patients it forgets those without recent pushes.
final class PushThrottle: Sendable {
    private static let window = Duration.seconds(60)
    private static let patients = 10_000

    private let limit: Int
    private let sent = Mutex<[PatientID: [Instant]]>([:])

    init(limit: Int) { self.limit = limit }

    /// Counts a push; returns the time to wait when there were too many, otherwise nil.
    func admit(_ patient: PatientID, at now: Instant) -> Duration? {
        sent.withLock { sent in
            let recent = (sent[patient] ?? []).filter { $0 + Self.window > now }
            guard recent.count < limit else {
                sent[patient] = recent
                return recent.first.map { ($0 + Self.window).since(now) }
            }
            if sent[patient] == nil, sent.count >= Self.patients {
                sent = sent.filter { $0.value.contains { $0 + Self.window > now } }
                let oldest = sent.min { ($0.value.last ?? now) < ($1.value.last ?? now) }?.key
                if sent.count >= Self.patients, let oldest { sent[oldest] = nil }
            }
            sent[patient] = recent + [now]
            return nil
        }
    }
}
