/// A position in a source file.
package struct SourcePosition: Sendable, Equatable, Hashable, Comparable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first position of a file.
    package static let start = SourcePosition(line: 1, column: 1)

    /// The form that compilers use: "12:5".
    package var description: String { "\(line):\(column)" }

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
