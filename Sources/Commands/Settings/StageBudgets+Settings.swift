import Conversation

extension StageBudgets {
    private static let keys: [(stage: Stage, key: SettingKey)] = [
        (.remember, .memoryTime), (.recall, .recallTime), (.record, .recordTime), (.reserve, .reserve),
    ]

    /// Creates the configured budgets.
    ///
    /// A configured budget takes precedence over the bundle's.
    init(_ settings: Settings) {
        self.init(
            turn: settings.duration(.budget),
            remember: settings.duration(.memoryTime),
            recall: settings.duration(.recallTime),
            record: settings.duration(.recordTime),
            reserve: settings.duration(.reserve),
            pinned: Set(Self.keys.filter { settings[$0.key].origin != .standard }.map(\.stage))
        )
    }
}

extension CallBudgets {
    /// Creates the configured budgets.
    init(_ settings: Settings) {
        self.init(
            hedges: settings.number(.hedgePercent) / 100,
            retries: settings.number(.retryPercent) / 100
        )
    }
}

extension Disclosure {
    /// Creates the configured disclosure frequency.
    init(_ settings: Settings) {
        self.init(Frequency(rawValue: settings[.disclosure].text) ?? .off)
    }
}

extension AdmissionLimits {
    /// Creates the configured limits.
    init(_ settings: Settings) {
        self.init(
            turnsAtOnce: settings.integer(.turnsAtOnce),
            turnsWaiting: settings.integer(.turnsWaiting),
            patientTurnsPerMinute: settings.integer(.patientTurns),
            keyTurnsPerMinute: settings.integer(.keyTurns)
        )
    }
}
