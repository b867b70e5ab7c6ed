/// Whether an answer says plainly that a dose was taken: once, now, and nothing besides.
///
/// It is the only form by which a medicine is noted as taken. Whatever says more, or less, is asked back.
enum PlainDose {
    /// Reads a message, which may begin and end with words that say nothing.
    ///
    /// - Parameter titles: The words of the medicine's own name.
    static func isSaid(in said: String, titles: Set<String>) -> Bool {
        guard !said.contains("?" as Character) else { return false }
        let words = ReminderWordsSaid.words(of: said)
        return !words.isEmpty
            && (isYes(words) || isSaid(in: ReminderWordsSaid.withoutFillers(words), titles: titles))
    }

    /// Reads the words of an answer without those that begin or end it.
    ///
    /// - Parameter titles: The words of the medicine's own name.
    static func isSaid(in words: [String], titles: Set<String>) -> Bool {
        for begin in begins where words.starts(with: begin) {
            let rest = words.dropFirst(begin.count)
            guard rest.allSatisfy({ beside.contains($0) || titles.contains($0) }), !tellsOfFood(rest) else {
                return false
            }
            let isNamed = rest.contains { objects.contains($0) || titles.contains($0) }
            switch begin.joined(separator: " ") {
            // Breakfast is had as well, and a pill that somebody has is not taken.
            case "had", "i had", "i've had", "i have had", "i've just had", "i finished": return isNamed
            case "i have": return !isNamed
            default: return true
            }
        }
        return false
    }

    /// True if food or drink is told of that no medicine was taken with.
    private static func tellsOfFood(_ rest: ArraySlice<String>) -> Bool {
        guard let place = rest.firstIndex(where: food.contains) else { return false }
        return !rest[..<place].contains { ["with", "con"].contains($0) }
    }

    /// Reads a yes with courtesies and nothing else; a courtesy alone is no yes.
    private static func isYes(_ words: [String]) -> Bool {
        words.contains(where: agreements.contains) && words.allSatisfy(yes.contains)
    }

    /// Reads the answer to "just once?", to which a yes suffices.
    static func isYes(in words: [String], titles: Set<String>) -> Bool {
        // "Nada más" is no more; "una más" is one more.
        let isMore = words.indices.contains { words[$0] == "mas" && ($0 == 0 || words[$0 - 1] != "nada") }
        guard !isMore else { return false }
        let rest = words.filter { !once.contains($0) }
        guard !rest.isEmpty else { return words.contains(where: ["once", "vez", "sola", "solo", "nada"].contains) }
        return isYes(rest) || isSaid(in: rest.filter { !yes.contains($0) }, titles: titles)
    }

    /// Reads a no and nothing else of weight.
    static func isNo(in words: [String]) -> Bool {
        words.first.map(["no", "nope", "nah"].contains) ?? false && words.allSatisfy(beforeNo.contains)
    }

    private static let yes: Set<String> = [
        "yes", "yeah", "yep", "yup", "aye", "i", "did", "have", "that's", "right", "certainly", "correct", "thanks",
        "thank", "you", "dear", "milo", "si", "claro", "eso", "es", "correcto", "gracias", "asi",
    ]
    /// The words that agree; the others of ``yes`` only go with them.
    private static let agreements: Set<String> = [
        "yes", "yeah", "yep", "yup", "aye", "did", "have", "that's", "certainly", "correct", "si", "claro", "eso",
        "correcto",
    ]
    private static let food: Set<String> = [
        "glass", "water", "milk", "juice", "food", "breakfast", "lunch", "dinner", "supper", "agua", "leche", "zumo",
        "desayuno", "comida", "cena", "almuerzo", "vaso",
    ]
    /// The words that name what was taken.
    private static let objects: Set<String> = [
        "it", "them", "that", "those", "pill", "pills", "tablet", "tablets", "medicine", "medicines", "medication",
        "meds",
        "dose", "capsule", "capsules", "drops", "vitamin", "vitamins", "inhaler", "insulin", "injection",
    ]
    private static let once: Set<String> = ["just", "only", "once", "the", "una", "sola", "vez", "solo", "nada", "mas"]
    private static let beforeNo: Set<String> = [
        "no", "nope", "nah", "i", "didn't", "did", "not", "haven't", "dear", "thanks", "thank", "you", "milo",
        "gracias",
        "todavia", "yet",
    ]

    /// The beginnings, the longest first.
    private static let begins = ReminderWordsSaid.phrases(
        """
        i took|i just took|i've taken|i have taken|i've just taken|i have just taken|i did take|just took|took|taken|had
        i had|i've had|i have had|i've just had|i did|i have|done|all done|it's done|it is done|that's done|i've done
        i swallowed|i've swallowed|just swallowed|swallowed|i finished|yes
        la tome|las tome|lo tome|los tome|me la tome|me las tome|me lo tome|ya la tome|ya las tome|ya lo tome
        ya me la tome|ya me las tome|ya me lo tome|ya tome|me tome|ya me tome|ya la he tomado|la he tomado|me la he tomado
        ya me la he tomado|ya las he tomado|me las he tomado|ya me las he tomado|ya esta|ya esta hecho|hecho|tomada|tomadas
        ya he tomado|he tomado|tome|acabo de tomarla|acabo de tomarmela|acabo de tomarlas|acabo de tomarmelas|listo|si
        """
    )
    .map { $0.split(separator: " ").map(String.init) }
    .sorted { $0.count > $1.count }

    /// What may follow: what was taken, with what, and that it was now.
    private static let beside: Set<String> = [
        "it", "them", "that", "those", "my", "the", "pill", "pills", "tablet", "tablets", "medicine",
        "medicines",
        "medication", "meds", "dose", "capsule", "capsules", "drops", "vitamin", "vitamins", "inhaler", "insulin",
        "injection", "just", "now", "right", "minute", "moment", "ago", "with", "some", "a", "of", "glass", "water",
        "milk", "juice", "food", "breakfast", "lunch", "dinner", "supper", "did", "i", "thanks", "thank", "you",
        "la", "las", "el", "los", "lo", "mi", "mis", "pastilla", "pastillas", "medicina", "medicinas", "medicamento",
        "gotas", "insulina", "capsula", "ahora", "mismo", "con", "agua", "leche", "zumo", "desayuno", "comida", "cena",
        "almuerzo", "un", "vaso", "de", "hecho", "ya", "me", "tome", "gracias",
    ]
}
