import Console

extension SessionRules {
    /// Creates the configured limits.
    init(_ settings: Settings) {
        self.init(
            idle: .seconds(60 * settings.integer(.consoleIdle)),
            longest: .seconds(3600 * settings.integer(.consoleSession))
        )
    }
}
