package import Runtime

/// Who may begin a turn now, who waits and who is sent away: a value whose rules can be tested by moving time.
///
/// A turn that tells of danger, or follows one that did, is never sent away and never waits: where there is no room for it
/// or its patient asks too often, it is answered briefly, without recall and without a model.
package struct AdmissionQueue: Sendable {
    /// What is known of a turn before anything is done for it.
    package struct Applicant: Sendable {
        /// Who speaks.
        package var patient: PatientID
        /// The key under which it was sent; nil when it was sent under none.
        package var key: ServiceKeyID?
        /// Whether its words tell of danger.
        package var isFlagged: Bool
        /// Whether somebody waits for the answer; what waited on a device is not limited by how often a patient asks.
        package var isAwaited: Bool

        /// Makes an applicant.
        package init(patient: PatientID, key: ServiceKeyID? = nil, isFlagged: Bool = false, isAwaited: Bool = true) {
            self.patient = patient
            self.key = key
            self.isFlagged = isFlagged
            self.isAwaited = isAwaited
        }
    }

    /// What becomes of an applicant.
    package enum Verdict: Sendable, Equatable {
        /// It is answered.
        case begins
        /// It is answered with what needs no model.
        case beginsBriefly
        /// It waits, under this number.
        case waits(Int)
        /// It is sent away: there is no room.
        case isShed
        /// It is sent away: too often.
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
    /// How many turns are being answered.
    package private(set) var inFlight = 0

    /// Makes an empty queue.
    package init(_ limits: AdmissionLimits) {
        self.limits = limits
        patients = RateLimit(perMinute: limits.patientTurnsPerMinute)
        keys = RateLimit(perMinute: limits.keyTurnsPerMinute)
    }

    /// How many turns wait.
    package var waitingCount: Int { waiting.count - left.count }

    /// Decides about a turn that has come; one that begins must be told to ``leave()``.
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

    /// Takes note that a turn has ended; who waits longest begins in its place.
    ///
    /// - Returns: The number under which the one waited that begins now.
    package mutating func leave() -> Int? {
        inFlight -= 1
        while inFlight < limits.turnsAtOnce, let number = waiting.popFirst() {
            guard left.remove(number) == nil else { continue }
            inFlight += 1
            return number
        }
        return nil
    }

    /// Takes note that somebody waits no more.
    package mutating func giveUp(_ number: Int) {
        left.insert(number)
    }

    /// Whether a turn must be answered whatever the limits say.
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
