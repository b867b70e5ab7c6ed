extension RecordForms {
    /// Returns the forms of a row's text, separated by bars and line ends.
    static func forms(_ text: String) -> [String] {
        text.split { $0 == "|" || $0 == "\n" }.map(String.init)
    }

    /// Returns every form with every ending as a table by its words.
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

    /// Returns forms with each day of the week in place of `$`.
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
