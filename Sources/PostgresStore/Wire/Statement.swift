/// A statement that is prepared once on each connection, when it is first used there.
package final class Statement: Sendable {
    /// Its name, which no other statement has.
    package let name: String
    /// Its text; parameters are `$1` and so on.
    package let text: String
    /// The types of its parameters.
    package let parameters: [PostgresType]

    /// Makes a statement.
    package init(_ name: String, _ parameters: [PostgresType] = [], _ text: String) {
        self.name = name
        self.text = text
        self.parameters = parameters
    }

    /// The statement with values for its parameters; as many as it has and of their types.
    package func callAsFunction(_ values: PostgresValue...) -> StatementCall {
        self(values)
    }

    /// The statement with values for its parameters; as many as it has and of their types.
    package func callAsFunction(_ values: [PostgresValue]) -> StatementCall {
        precondition(values.count == parameters.count, "\(name) has \(parameters.count) parameters")
        precondition(zip(values, parameters).allSatisfy { $0.fits($1) }, "\(name) has parameters of other types")
        return StatementCall(statement: self, values: values)
    }
}

/// A statement with the values of its parameters.
package struct StatementCall: Sendable {
    /// The statement.
    package let statement: Statement
    /// The values, in the order of the parameters.
    package let values: [PostgresValue]
}
