/// Tells Spanish from English by the small words that only one of them has.
enum SpokenLanguage {
    private static let spanish: Set<String> = [
        "el", "la", "los", "las", "un", "una", "de", "que", "y", "en", "es", "su", "se", "por", "con", "para", "mi",
        "estoy", "está", "usted", "lo", "le", "al", "del", "qué", "cómo", "muy", "pero", "si", "sí", "hoy", "tengo",
        "tome",
    ]
    private static let english: Set<String> = [
        "the", "a", "an", "of", "that", "and", "in", "is", "his", "her", "your", "you", "for", "with", "to", "my", "i",
        "i'm",
        "am", "are", "it", "not", "was", "have", "do", "what", "this", "on", "be", "but", "take", "it's", "that's",
        "you're",
        "don't", "can't", "tell", "give", "something", "just", "probably", "nice", "please", "yourself", "would",
        "could", "should",
        "can", "will", "how", "there", "they", "he", "she", "we", "if", "at", "by", "from", "very", "good", "well",
        "some", "about",
    ]

    /// "es" or "en"; English when it cannot be told.
    static func guess(_ text: String) -> String {
        let words = text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
        let spanishWords = words.count { spanish.contains($0) }
        return spanishWords > words.count { english.contains($0) } ? "es" : "en"
    }
}
