/// When what was said in a conversation is read for facts.
package struct LullSettings: Sendable, Equatable {
    /// How long a conversation must have been quiet.
    package var quiet: Duration
    /// How many messages that were not read make it due though the conversation goes on; no more than the prompt's
    /// history holds, so that nothing is out of both.
    package var turns: Int

    /// Makes settings; the defaults are the service's.
    package init(quiet: Duration = .seconds(300), turns: Int = 6) {
        precondition(quiet >= .zero && turns > 0, "a lull is a time, and a talk has turns")
        self.quiet = quiet
        self.turns = turns
    }
}
