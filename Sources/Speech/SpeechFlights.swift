import Domain
import Runtime

/// Sounds that are being looked up or made: one flight, the shared work, for each address.
///
/// A further patient who is to hear the sound waits for the flight. The patient is noted in the records before the
/// flight ends.
struct SpeechFlights {
    /// One who waits for a sound.
    struct Waiter: Sendable {
        /// A wanted sound and the tenant and patient who want it.
        let order: SpeechOrder
        /// Continuation that receives the result.
        let result = OneShot<SpeechResult>()
    }

    /// Results of joining.
    enum Joining: Equatable {
        /// The caller is the first and begins.
        case begun
        /// A flight was under way.
        case joined
        /// The greatest number of flights, or of patients of this flight, is reached.
        case full
    }

    private struct Flight {
        var patients: Set<PatientID>
        var isErased = false
        var waiting: [Waiter]
        var late: [Waiter] = []
    }

    private var flights: [SpeechAddress: Flight] = [:]

    /// Adds one who waits.
    mutating func join(_ waiter: Waiter, at address: SpeechAddress, atMost most: Int) -> Joining {
        guard let flight = flights[address] else {
            guard flights.count < most else { return .full }
            flights[address] = Flight(patients: waiter.order.patients, waiting: [waiter])
            return .begun
        }
        if waiter.order.patients.isSubset(of: flight.patients) {
            flights[address]?.waiting.append(waiter)
        } else {
            guard flight.late.count < most else { return .full }
            flights[address]?.late.append(waiter)
        }
        return .joined
    }

    /// Returns the waiters who get the result now, and the orders to be noted next; without such orders the flight
    /// ends.
    mutating func advance(_ address: SpeechAddress) -> (settled: [Waiter], next: [Waiter]) {
        guard var flight = flights.removeValue(forKey: address) else { return ([], []) }
        let (settled, next) = (flight.waiting, flight.late)
        guard !next.isEmpty else { return (settled, []) }
        (flight.waiting, flight.late) = ([], [])
        flight.patients.formUnion(next.flatMap(\.order.patients))
        flights[address] = flight
        return (settled, next)
    }

    /// True if a patient of a flight was erased meanwhile, so that its sound is not to be kept.
    func isErased(_ address: SpeechAddress) -> Bool { flights[address]?.isErased ?? false }

    /// Marks every flight for a patient, and every flight whose patients are unknown.
    mutating func erase(_ patient: PatientID, of tenant: TenantID) {
        for (address, flight) in flights where address.tenant == tenant {
            guard flight.patients.isEmpty || flight.patients.contains(patient) else { continue }
            flights[address]?.isErased = true
        }
    }
}

/// A wanted sound: the words of an order, or an earlier order.
enum SpeechOrder: Sendable {
    case from(Speech, PatientID)
    case known

    /// The patients who are to hear the words; empty when they are unknown.
    var patients: Set<PatientID> {
        if case .from(_, let patient) = self { [patient] } else { [] }
    }
}

/// Results of looking for a sound.
enum SpeechResult: Sendable {
    case clip(SpeechClip)
    case failed(SpeechFailure)
    case unknown
}
