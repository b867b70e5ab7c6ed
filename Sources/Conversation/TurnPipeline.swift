package import Domain
package import Runtime

/// Answers messages; the central path of the service.
///
/// Immutable and shared by all turns. Each turn is a ``TurnRun``, whose file shows the stages in order.
package struct TurnPipeline: TurnAnswering {
    private let shared: SharedTurnParts

    /// Makes a pipeline from its parts.
    ///
    /// - Parameters:
    ///   - calls: The budgets of additional calls to models.
    ///   - jitter: Spreads retries; called once for each turn.
    package init(
        _ parts: PipelineDependencies,
        budgets: StageBudgets = StageBudgets(),
        calls: CallBudgets = CallBudgets(),
        admission: TurnAdmission,
        metrics: TurnMetrics,
        log: Log,
        time: any TimeSource = SystemTime(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        shared = SharedTurnParts(
            TurnConfiguration(parts, budgets),
            calls: calls,
            admission: admission,
            metrics: metrics,
            log: log,
            time: time,
            jitter: jitter
        )
    }

    package func answer(_ turn: Turn, by deadline: Deadline) async throws(TurnError) -> Answer {
        let deadline = deadline.capped(to: shared.own.budgets.turn, from: shared.time.now)
        return try await shared.inFlight.run(turn) { [shared] in
            await TurnRun(turn, by: deadline, shared, bundle: shared.own.parts.bundles?.active).answer()
        }
    }
}
