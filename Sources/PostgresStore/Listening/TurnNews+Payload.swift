package import Conversation

/// Encodes announcements of turns as words with spaces between them.
extension TurnNews {
    /// Channel of these announcements.
    package static let channel = "hearth_turns"

    /// The announcement's text; less than 1,000 bytes.
    var payload: String {
        switch self {
        case .watched(let replica): "watched \(replica)"
        case .answered(let replica, let turns):
            (["answered", "\(replica)", "\(turns.tenant)", "\(turns.missed)"]
                + turns.places.map { "\($0.patient)/\($0.message)" }).joined(separator: " ")
        }
    }

    /// Parses an announcement; returns nil when it is malformed.
    package init?(payload: String) {
        let words = payload.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 2, let replica = ReplicaID(words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("watched", 2): self = .watched(at: replica)
        case ("answered", 4...(4 + AnsweredTurns.most)):
            let places = words[4...].compactMap(Self.place)
            guard let tenant = TenantID(words[2]), let missed = Int(words[3]), missed >= 0,
                places.count == words.count - 4
            else { return nil }
            self = .answered(at: replica, AnsweredTurns(tenant: tenant, places: places, missed: missed))
        default: return nil
        }
    }

    private static func place(_ word: String) -> TurnPlace? {
        let halves = word.split(separator: "/").map(String.init)
        guard halves.count == 2, let patient = PatientID(halves[0]), let message = MessageID(halves[1]) else {
            return nil
        }
        return TurnPlace(patient, message)
    }
}
