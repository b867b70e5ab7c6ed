/// A statement that each connection prepares on first use.
package final class Statement: Sendable {
    /// Unique name of the statement.
    package let name: String
    /// SQL text with parameters `$1` and so on.
    package let text: String
    /// Types of its parameters.
    package let parameters: [PostgresType]

    package init(_ name: String, _ parameters: [PostgresType] = [], _ text: String) {
        self.name = name
        self.text = text
        self.parameters = parameters
    }

    /// Binds values to the parameters; their number and types must match.
    package func callAsFunction(_ values: PostgresValue...) -> StatementCall {
        self(values)
    }

    /// Binds values to the parameters; their number and types must match.
    package func callAsFunction(_ values: [PostgresValue]) -> StatementCall {
        precondition(values.count == parameters.count, "\(name) has \(parameters.count) parameters")
        precondition(zip(values, parameters).allSatisfy { $0.fits($1) }, "\(name) has parameters of other types")
        return StatementCall(statement: self, values: values)
    }
}

/// A statement with the values of its parameters.
package struct StatementCall: Sendable {
    /// The statement to run.
    package let statement: Statement
    /// Values in the order of the parameters.
    package let values: [PostgresValue]
}
