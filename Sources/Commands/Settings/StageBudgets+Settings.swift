import Conversation

extension StageBudgets {
    private static let keys: [(stage: Stage, key: SettingKey)] = [
        (.remember, .memoryTime), (.recall, .recallTime), (.record, .recordTime), (.reserve, .reserve),
    ]

    /// The shares that settings give; one that somebody has set is kept whatever a bundle says.
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
    /// The shares that settings give.
    init(_ settings: Settings) {
        self.init(
            hedges: settings.number(.hedgePercent) / 100,
            retries: settings.number(.retryPercent) / 100
        )
    }
}

extension Disclosure {
    /// How often settings want it said.
    init(_ settings: Settings) {
        self.init(Frequency(rawValue: settings[.disclosure].text) ?? .off)
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
