package import Runtime

/// Options of a run.
package struct RunOptions: Sendable {
    /// Number of concurrent live samples; simulated samples run one per event loop.
    package var concurrency = 4
    /// Number of samples per fixture that overrides the fixtures' own numbers.
    package var repeats: Int?
    /// Limit on the model's cost in US dollars; nil for none.
    package var maximumCost: Double?
    /// Price of the model.
    ///
    /// A limit on cost without a price is refused.
    package var price: Grader.Price?
    /// Time after which no new sample starts; nil for none.
    package var deadline: Deadline?
    /// Whether the first failure ends the run.
    package var failsFast = false

    /// Creates the defaults of the command.
    package init() {}
}
