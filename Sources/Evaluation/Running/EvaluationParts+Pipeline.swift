import Conversation
import Runtime

extension EvaluationParts {
    /// The real pipeline over these parts, with records and clock of a run's own; its figures and its log go nowhere.
    func pipeline(
        records: any PatientRecords,
        spool: InMemorySpool,
        recall: any MemoryRecall,
        screen: any MessageScreen,
        models: [any LanguageModel],
        observer: (any TurnObserving)? = nil,
        time: any TimeSource
    ) -> TurnPipeline {
        let metrics = Metrics()
        return TurnPipeline(
            TurnParts(
                records: records,
                spool: spool,
                delivery: spool,
                recall: recall,
                screen: screen,
                policy: policy,
                output: output,
                composer: composer,
                models: models,
                verdicts: verdicts,
                replies: replies,
                trust: trust,
                observer: observer
            ),
            budgets: budgets,
            admission: TurnAdmission(AdmissionLimits(), metrics: metrics, time: time),
            metrics: TurnMetrics(metrics),
            log: Log(to: NoLog(), minimum: .error),
            time: time
        )
    }
}

/// A log that keeps nothing.
private struct NoLog: LogSink {
    func write(_ line: LogLine) {}
}
