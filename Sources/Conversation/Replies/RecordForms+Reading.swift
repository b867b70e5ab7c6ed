extension RecordForms {
    /// The forms of a row's text, parted by bars and line ends.
    static func forms(_ text: String) -> [String] {
        text.split { $0 == "|" || $0 == "\n" }.map(String.init)
    }

    /// Every form with every ending, by the words that are said.
    static func table(_ rows: [Row]) -> [String: RecordQuestion] {
        var table: [String: RecordQuestion] = [:]
        for row in rows {
            let endings = row.endings.split(separator: "|", omittingEmptySubsequences: false)
            for form in forms(row.texts) {
                for ending in endings { table[ending.isEmpty ? form : "\(form) \(ending)"] = row.question }
            }
        }
        return table
    }

    /// Forms with each day of the week in the place of `$`.
    static func weekdays(after days: Int, _ text: String) -> [String: RecordQuestion] {
        var table: [String: RecordQuestion] = [:]
        for (weekday, names) in dayNames.enumerated() {
            for form in forms(text) {
                for name in names { table[form.replacing("$", with: name)] = .weekday(weekday + 1, after: days) }
            }
        }
        return table
    }

    private static let dayNames = [
        ["sunday", "domingo"], ["monday", "lunes"], ["tuesday", "martes"], ["wednesday", "miercoles"],
        ["thursday", "jueves"], ["friday", "viernes"], ["saturday", "sabado"],
    ]
}
