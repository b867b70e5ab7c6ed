/// The language of a prompt's notes and of the requested reply.
struct SpokenLanguage: Sendable, Equatable {
    /// The first part of the tag in lower case: "en", "es".
    let code: String

    /// Reads a BCP 47 tag; an empty tag means English.
    init(tag: String) {
        let first = tag.prefix { $0.isLetter }.lowercased()
        code = first.isEmpty ? "en" : first
    }

    /// True if the notes are in Spanish; all other languages have English notes.
    var isSpanish: Bool { code == "es" }

    /// The language's English name for the model; the code itself for rare languages.
    var name: String { Self.names[code] ?? code }

    private static let names = [
        "en": "English", "es": "Spanish", "fr": "French", "de": "German", "it": "Italian", "pt": "Portuguese",
        "nl": "Dutch", "pl": "Polish", "ru": "Russian", "uk": "Ukrainian", "el": "Greek", "tr": "Turkish",
        "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
        "vi": "Vietnamese", "tl": "Tagalog",
    ]
}
