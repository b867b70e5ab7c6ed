/// A kind of wording that shows how the rest of its clause is meant.
package enum Cue: String, Sendable, Hashable, CaseIterable {
    /// Denies what follows: "not", "never", "without".
    case negation
    /// Looks like a denial but is none: "can not believe", "not only".
    case affirmation
    /// Somebody else as the subject: "he", "my neighbour".
    case other
    /// The speaker as the subject or the owner: "I", "my back".
    case speaker
    /// Long ago: "years ago", "when I was a boy".
    case past
    /// Now or recently: "just now", "this morning", "again".
    case present
    /// Not happened: "if", "in case", "afraid of".
    case hypothetical
    /// Opens a question: "what are", "how do you".
    case question
    /// A film, a dream, a game or a test.
    case unreal
    /// Confirms, after "but", that it was no test or joke: "really", "I mean it".
    case earnest
    /// A figure of speech that covers a dangerous word.
    case figure
}
