package import Runtime

/// Decides which turns begin, wait or are refused; a value that can be tested by moving time.
///
/// A turn with a danger, or after one, is never refused and never waits. If there is no room or its patient asks too
/// often, it gets a degraded answer without recall and without a model.
package struct AdmissionQueue: Sendable {
    /// A request for admission: everything known of a turn before work on it begins.
    package struct Applicant: Sendable {
        /// The patient who speaks.
        package var patient: PatientID
        /// The service key of the request; nil without a key.
        package var key: ServiceKeyID?
        /// True if the words indicate danger.
        package var isFlagged: Bool
        /// True if somebody waits for the answer.
        ///
        /// Messages that waited on a device do not count against the patient's rate limit.
        package var isAwaited: Bool

        package init(patient: PatientID, key: ServiceKeyID? = nil, isFlagged: Bool = false, isAwaited: Bool = true) {
            self.patient = patient
            self.key = key
            self.isFlagged = isFlagged
            self.isAwaited = isAwaited
        }
    }

    /// The decision about a request for admission.
    package enum Verdict: Sendable, Equatable {
        /// The turn is answered in full.
        case begins
        /// The turn is answered without a model.
        case beginsBriefly
        /// The turn waits under this number.
        case waits(Int)
        /// The turn is refused because there is no room.
        case isShed
        /// The turn is refused because requests are too frequent.
        case isLimited(retryAfter: Duration)
    }

    private static let mostWatched = 20_000

    private let limits: AdmissionLimits
    private var patients: RateLimit<PatientID>
    private var keys: RateLimit<ServiceKeyID>
    private var watched: [PatientID: Instant] = [:]
    private var waiting = FirstInFirstOut<Int>()
    private var left: Set<Int> = []
    private var nextNumber = 0
    /// The number of turns in progress.
    package private(set) var inFlight = 0

    package init(_ limits: AdmissionLimits) {
        self.limits = limits
        patients = RateLimit(perMinute: limits.patientTurnsPerMinute)
        keys = RateLimit(perMinute: limits.keyTurnsPerMinute)
    }

    /// The number of waiting turns.
    package var waitingCount: Int { waiting.count - left.count }

    /// Decides about a new turn; each turn that begins must end with ``leave()``.
    package mutating func enter(_ applicant: Applicant, at now: Instant) -> Verdict {
        let mustBeAnswered = watch(applicant, at: now)
        if let delay = delay(applicant, at: now) {
            guard mustBeAnswered else { return .isLimited(retryAfter: delay) }
            inFlight += 1
            return .beginsBriefly
        }
        if inFlight < limits.turnsAtOnce {
            inFlight += 1
            return .begins
        }
        if mustBeAnswered {
            inFlight += 1
            return .beginsBriefly
        }
        guard waitingCount < limits.turnsWaiting else { return .isShed }
        nextNumber += 1
        waiting.append(nextNumber)
        return .waits(nextNumber)
    }

    /// Notes that a turn has ended; the turn that waited longest begins in its place.
    ///
    /// - Returns: The number of the waiting turn that begins now.
    package mutating func leave() -> Int? {
        inFlight -= 1
        while inFlight < limits.turnsAtOnce, let number = waiting.popFirst() {
            guard left.remove(number) == nil else { continue }
            inFlight += 1
            return number
        }
        return nil
    }

    /// Notes that a turn no longer waits.
    package mutating func giveUp(_ number: Int) {
        left.insert(number)
    }

    /// Returns whether a turn must be answered regardless of the limits.
    private mutating func watch(_ applicant: Applicant, at now: Instant) -> Bool {
        if applicant.isFlagged {
            if watched.count >= Self.mostWatched { watched = watched.filter { $0.value > now } }
            watched[applicant.patient] = now + limits.watchTime
            return true
        }
        return watched[applicant.patient].map { $0 > now } ?? false
    }

    private mutating func delay(_ applicant: Applicant, at now: Instant) -> Duration? {
        let ofKey = applicant.key.flatMap { keys.take($0, at: now) }
        let ofPatient = applicant.isAwaited ? patients.take(applicant.patient, at: now) : nil
        return [ofKey, ofPatient].compactMap { $0 }.max()
    }
}
