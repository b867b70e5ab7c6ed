/// The position at which a node begins.
package struct YAMLPosition: Sendable, Hashable, CustomStringConvertible {
    /// The document's name.
    package let file: String
    /// From 1.
    package let line: Int
    /// In characters, from 1.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The form that editors and compilers use: "rules.yaml:12:5".
    package var description: String { "\(file):\(line):\(column)" }
}
