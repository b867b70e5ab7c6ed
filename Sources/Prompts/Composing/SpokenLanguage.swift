/// The language of a prompt's notes and of the reply that it asks for.
struct SpokenLanguage: Sendable, Equatable {
    /// The tag's first part in lower case: "en", "es".
    let code: String

    /// Reads a BCP 47 tag; empty is English.
    init(tag: String) {
        let first = tag.prefix { $0.isLetter }.lowercased()
        code = first.isEmpty ? "en" : first
    }

    /// Whether the notes are in Spanish; they are in English for every other language.
    var isSpanish: Bool { code == "es" }

    /// The language's name in English, for the model; the tag itself when it is a rarer one.
    var name: String { Self.names[code] ?? code }

    private static let names = [
        "en": "English", "es": "Spanish", "fr": "French", "de": "German", "it": "Italian", "pt": "Portuguese",
        "nl": "Dutch", "pl": "Polish", "ru": "Russian", "uk": "Ukrainian", "el": "Greek", "tr": "Turkish",
        "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
        "vi": "Vietnamese", "tl": "Tagalog",
    ]
}
