import Conversation

extension StageBudgets {
    /// The shares that settings give.
    init(_ settings: Settings) {
        self.init(
            turn: settings.duration(.budget),
            remember: settings.duration(.memoryTime),
            recall: settings.duration(.recallTime),
            record: settings.duration(.recordTime),
            reserve: settings.duration(.reserve)
        )
    }
}

extension CallBudgets {
    /// The shares that settings give.
    init(_ settings: Settings) {
        self.init(
            hedges: settings.number(.hedgePercent) / 100,
            retries: settings.number(.retryPercent) / 100
        )
    }
}

extension AdmissionLimits {
    /// The limits that settings give.
    init(_ settings: Settings) {
        self.init(
            turnsAtOnce: settings.integer(.turnsAtOnce),
            turnsWaiting: settings.integer(.turnsWaiting),
            patientTurnsPerMinute: settings.integer(.patientTurns),
            keyTurnsPerMinute: settings.integer(.keyTurns)
        )
    }
}
