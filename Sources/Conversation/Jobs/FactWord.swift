import Foundation

/// A word of a fact or of a message, prepared for comparison.
struct FactWord: Equatable {
    /// The word in lower case and without accents; an apostrophe inside it stays.
    let folded: String
    /// True if it has a capital and does not begin a sentence.
    let isName: Bool

    /// Returns the words of a text.
    static func words(in text: String) -> [FactWord] {
        var isFirst = true
        return text.replacing("\u{2019}", with: "'")
            .split { !($0.isLetter || $0.isNumber || $0 == "'") }
            .map { $0.trimmingCharacters(in: ["'"]) }
            .filter { !$0.isEmpty }
            .map { word in
                defer { isFirst = false }
                return FactWord(word, isFirst: isFirst)
            }
    }

    private init(_ word: String, isFirst: Bool) {
        let owner = word.hasSuffix("'s") ? String(word.dropLast(2)) : word
        let isPlain = owner.utf8.allSatisfy { $0 < 0x80 }
        folded =
            isPlain
            ? owner.lowercased() : owner.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        isName = !isFirst && word.first?.isUppercase == true && !Self.common.contains(folded)
    }

    /// True if it has a digit.
    var isNumber: Bool { folded.contains(where: \.isNumber) }

    /// True if it carries meaning: no function word, and none that all facts of its kind share.
    var isContent: Bool { (folded.count >= 3 || isNumber) && !Self.common.contains(folded) }

    /// Returns whether two words are forms of one: equal, singular and plural, or with four common letters and short
    /// endings.
    func isForm(of other: String) -> Bool {
        if folded == other { return true }
        guard !isNumber, !other.contains(where: \.isNumber) else { return false }
        let shorter = min(folded.count, other.count)
        let common = zip(folded, other).prefix { $0 == $1 }.count
        if common == shorter, shorter >= 3, abs(folded.count - other.count) <= 1 { return true }
        return common >= 4 && common >= shorter - 2 && max(folded.count, other.count) - common <= 4
    }

    /// Words that name another person, whose medicine or illness is not the patient's.
    static let others: Set<String> = [
        "husband", "wife", "son", "daughter", "brother", "sister", "mother", "father", "mum", "mom", "dad", "friend",
        "neighbor", "neighbour", "grandson", "granddaughter", "aunt", "uncle", "cousin", "niece", "nephew", "he", "she",
        "they",
        "his", "her", "their", "marido", "esposo", "esposa", "mujer", "hijo", "hija", "hermano", "hermana", "madre",
        "padre",
        "mama", "papa", "amigo", "amiga", "vecino", "vecina", "nieto", "nieta", "tia", "tio", "primo", "prima",
        "sobrino", "sobrina", "ella", "ellos", "ellas",
    ]

    private static let common: Set<String> = [
        "the", "and", "for", "with", "that", "this", "from", "are", "was", "were", "has", "have", "had", "her", "his",
        "him",
        "she", "they", "their", "them", "its", "who", "which", "when", "been", "being", "not", "but", "patient",
        "person",
        "user", "named", "called", "name", "allergic", "allergy", "allergies", "takes", "take", "taking", "medicine",
        "medication", "drug", "contact", "likes", "like", "loves", "enjoys", "prefers", "i", "does", "doesn't", "don't",
        "is", "isn't", "a", "an", "of", "to", "in", "on", "at", "no", "never",
        "los", "las", "una", "uno", "unos", "unas", "con", "por", "para", "que", "del", "como", "esta", "este", "son",
        "era",
        "fue", "han", "hay", "sus", "paciente", "persona", "usuario", "llama", "llamado", "llamada", "nombre",
        "alergia",
        "alergico", "alergica", "toma", "tomar", "medicina", "medicamento", "contacto", "gusta", "prefiere", "tiene",
        "nunca", "sin",
    ]
}
