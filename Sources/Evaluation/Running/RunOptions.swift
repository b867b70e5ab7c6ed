package import Runtime

/// How a run is carried out.
package struct RunOptions: Sendable {
    /// How many live samples at a time; simulated ones run one to a loop.
    package var concurrency = 4
    /// How often each fixture is run, instead of what it says.
    package var repeats: Int?
    /// The most US dollars that the run's model may cost; nil for no limit.
    package var maximumCost: Double?
    /// What the model costs; without it a limit on cost stops nothing and is refused.
    package var price: Grader.Price?
    /// When no new sample is begun; nil for no limit.
    package var deadline: Deadline?
    /// Whether the first failure ends the run.
    package var failsFast = false

    /// Makes options; the defaults are the command's.
    package init() {}
}
