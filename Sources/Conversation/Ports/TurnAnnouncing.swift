package import Runtime

/// Tells replicas of turns while somebody watches; identities alone, never a word.
package protocol TurnAnnouncing: Sendable {
    /// Tells every replica, this one as well; one small statement.
    func announce(_ news: TurnNews, by deadline: Deadline) async throws(RecordsError)
}

/// One process of the service among those that share its records.
package enum Replica {}

/// Which replica; new with each start.
package typealias ReplicaID = ID<Replica>

/// What replicas tell each other of turns.
package enum TurnNews: Sendable, Equatable {
    /// Somebody watches there, and wants to be told of turns for the next seconds.
    case watched(at: ReplicaID)
    /// Turns were answered there.
    case answered(at: ReplicaID, AnsweredTurns)

    /// The replica that tells.
    package var replica: ReplicaID {
        switch self {
        case .watched(let replica), .answered(let replica, _): replica
        }
    }
}

/// Turns of one tenant that a replica has answered since it last told.
package struct AnsweredTurns: Sendable, Equatable {
    /// The most turns that are named at once; a person cannot read more, and an announcement holds no more.
    package static let most = 10

    /// Whose.
    package let tenant: TenantID
    /// The newest of them, in order.
    package private(set) var places: [TurnPlace]
    /// How many more there were.
    package private(set) var missed: Int

    /// Names turns.
    package init(tenant: TenantID, places: [TurnPlace] = [], missed: Int = 0) {
        self.tenant = tenant
        self.places = places
        self.missed = missed
    }

    /// Adds turns that came later; those that are too many count as missed, the oldest first.
    package mutating func add(_ places: [TurnPlace], missed: Int = 0) {
        self.places += places
        let spare = max(0, self.places.count - Self.most)
        self.places.removeFirst(spare)
        self.missed += missed + spare
    }
}

/// Where a turn is in the record.
package struct TurnPlace: Sendable, Hashable {
    /// Whose.
    package let patient: PatientID
    /// Which message.
    package let message: MessageID

    /// Names a turn.
    package init(_ patient: PatientID, _ message: MessageID) {
        self.patient = patient
        self.message = message
    }
}
