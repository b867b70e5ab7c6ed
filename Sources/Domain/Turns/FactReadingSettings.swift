/// The conditions for reading a conversation for facts.
package struct FactReadingSettings: Sendable, Equatable {
    /// The time for which a conversation must have been quiet.
    package var quiet: Duration
    /// The number of unread messages that are read although the conversation continues.
    ///
    /// It must not exceed the prompt's history, so that every message is in one of the two.
    package var turns: Int

    /// Makes settings; the defaults are the service's.
    package init(quiet: Duration = .seconds(300), turns: Int = 6) {
        precondition(quiet >= .zero && turns > 0, "a lull is a time, and a talk has turns")
        self.quiet = quiet
        self.turns = turns
    }
}
