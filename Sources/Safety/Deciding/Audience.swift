import Conversation

/// The listener's attributes that determine the words of a canned reply.
struct Audience: Sendable, Equatable {
    /// The language of the reply.
    let language: String
    /// True if somebody close may be the danger and may be present; the reply then mentions no notification.
    let isUnannounced: Bool
    /// The most recent canned replies, the latest first.
    let said: [String]
    /// The values for the placeholders in braces.
    let values: [String: String]

    init(_ memory: PatientMemory?, _ text: String, isUnannounced: Bool) {
        let language = memory?.patient.language ?? SpokenLanguage.guess(text)
        self.language = language
        self.isUnannounced = isUnannounced
        said = memory?.state.said ?? []
        values = memory?.spokenValues(in: language) ?? PatientMemory.valuesOfStranger(in: language)
    }
}
