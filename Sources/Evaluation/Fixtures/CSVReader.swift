/// Parses comma-separated values (RFC 4180); quoted fields may contain commas, quotes and line ends.
struct CSVReader {
    /// A row with the number of its first line.
    struct Row: Equatable {
        let line: Int
        let fields: [String]
    }

    /// The rows of a text; nil if a quote is never closed.
    static func rows(_ text: String) -> [Row]? {
        var reader = CSVReader()
        for character in text { reader.take(character) }
        guard !reader.isQuoted else { return nil }
        if !reader.field.isEmpty || !reader.fields.isEmpty { reader.endRow() }
        return reader.rows
    }

    private var rows: [Row] = []
    private var fields: [String] = []
    private var field = ""
    private var isQuoted = false
    private var wasQuote = false
    private var line = 1
    private var firstLine = 1

    private mutating func take(_ character: Character) {
        if character.isNewline { line += 1 }
        if isQuoted {
            if character == "\"" {
                isQuoted = false
                wasQuote = true
            } else {
                field.append(character)
            }
            return
        }
        if character == "\"" {
            if wasQuote { field.append("\"") }
            isQuoted = true
            wasQuote = false
            return
        }
        wasQuote = false
        if character == "," {
            endField()
        } else if character.isNewline {
            endRow()
        } else {
            field.append(character)
        }
    }

    private mutating func endField() {
        fields.append(field)
        field = ""
    }

    private mutating func endRow() {
        endField()
        if fields != [""] { rows.append(Row(line: firstLine, fields: fields)) }
        fields = []
        firstLine = line
    }
}
