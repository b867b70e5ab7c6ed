import Conversation

/// The person who hears a canned reply, as far as the reply's words depend on it.
struct Audience: Sendable, Equatable {
    /// The language that the reply is said in.
    let language: String
    /// Whether somebody close may be the danger, and may be in the room: nobody is said to be notified.
    let isUnannounced: Bool
    /// The canned replies that were said last, the latest first.
    let said: [String]
    /// The words for the places in braces.
    let values: [String: String]

    /// Makes the audience of a turn.
    init(_ memory: PatientMemory?, _ text: String, isUnannounced: Bool) {
        let language = memory?.patient.language ?? SpokenLanguage.guess(text)
        self.language = language
        self.isUnannounced = isUnannounced
        said = memory?.state.said ?? []
        values = memory?.spokenValues(in: language) ?? PatientMemory.valuesOfStranger(in: language)
    }
}
