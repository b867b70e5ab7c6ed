import Conversation
import Runtime

extension EvaluationParts {
    /// Creates the real pipeline over these parts, with the sample's records and clock; metrics and log are discarded.
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

/// A log sink that discards everything.
private struct NoLog: LogSink {
    func write(_ line: LogLine) {}
}
