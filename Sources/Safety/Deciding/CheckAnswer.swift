import Conversation

/// What a short answer to a check says.
package enum CheckAnswer: Sendable, Equatable {
    case yes, no
    /// The person says that all is well, whatever the question was.
    case fine
    /// The person tells of something bad without a yes or a no.
    case notFine
    /// It cannot be told.
    case unclear

    /// Reads an answer; one that is longer than a dozen words, or says both, is unclear.
    package init(_ said: String) {
        let spoken = SpokenWords(said)
        let words = spoken.all
        func says(_ phrases: SpokenPhrases) -> Bool { spoken.hold(phrases) }
        guard words.count <= 12, !says(Self.doubt) else {
            self = .unclear
            return
        }
        let first = words.first ?? ""
        switch (Self.yesses.contains(first), Self.noes.contains(first), says(Self.well) && !says(Self.notWell)) {
        case (_, _, true) where !Self.yesses.contains(first): self = .fine
        case (true, _, _): self = .yes
        case (_, true, _): self = .no
        default: self = says(Self.notWell) ? .notFine : .unclear
        }
    }

    private static let yesses: Set<String> = [
        "yes", "yeah", "yep", "yup", "sure", "please", "ok", "okay", "sí", "si", "claro", "definitely", "absolutely",
    ]
    private static let noes: Set<String> = ["no", "nope", "nah", "never", "none", "nothing", "not"]
    private static let well = SpokenPhrases([
        "i'm fine", "i am fine", "i'm ok", "i'm okay", "i am ok", "i am okay", "i'm all right", "i'm alright",
        "i am all right", "i'm good", "i'm safe", "i am safe", "it's nothing", "don't worry", "false alarm",
        "i'm up now",
        "i got up", "estoy bien", "no pasa nada", "no fue nada", "ya me levanté",
    ])
    private static let notWell = SpokenPhrases([
        "not fine", "not ok", "not okay", "can't", "cannot", "hurts", "hurt", "bleeding", "dizzy", "worse", "scared",
        "no puedo", "me duele", "sangro",
    ])
    private static let doubt = SpokenPhrases([
        "i think", "i don't know", "not sure", "maybe", "no sé", "creo", "quizás",
    ])
}
