/// The values for the places in canned replies.
extension PatientMemory {
    private static let longestName = 20

    /// True if a contact who has agreed to it can be notified.
    package var canNotifyFamily: Bool {
        let known = reachable.filter { !$0.contact.isForAbuse }
        return reachable.isEmpty ? contacts.contains { !$0.isForAbuse } : known.contains(where: \.hasConsented)
    }

    /// Returns the values for a known patient; the family is named only if it can be notified.
    package func spokenValues(in language: String) -> [String: String] {
        var values = canNotifyFamily ? Self.family(language) : Self.valuesOfStranger(in: language)
        values["name"] = Self.spoken(patient.name)
        if canNotifyFamily {
            let first = contacts.filter { !$0.isForAbuse }.min { $0.priority < $1.priority }
            values["contact"] = first.flatMap { Self.spoken($0.name) } ?? values["family"]
        }
        return values
    }

    /// Returns the values for an unknown patient.
    package static func valuesOfStranger(in language: String) -> [String: String] {
        ["family": language.lowercased().hasPrefix("es") ? "alguien que puede ayudar" : "somebody who can help"]
    }

    private static func family(_ language: String) -> [String: String] {
        ["family": language.lowercased().hasPrefix("es") ? "su familia" : "your family"]
    }

    /// Returns a person's first name, if it can be spoken.
    private static func spoken(_ name: String) -> String? {
        guard let first = name.split(whereSeparator: \.isWhitespace).first, first.count <= longestName,
            first.allSatisfy({ $0.isLetter || "'’-".contains($0) })
        else { return nil }
        return String(first)
    }
}
