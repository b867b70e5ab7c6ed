import Alerts
import Domain
import PostgresStore
import Runtime

/// Assembles the sending of reminders.
enum ReminderAssembly {
    /// Creates the service without starting it.
    static func make(
        _ settings: Settings,
        records: PostgresRecords,
        pushes: any DevicePushing,
        speech: any SpeechLinking,
        replies: @escaping @Sendable () -> CannedReplies,
        log: Log,
        metrics: Metrics
    ) -> ReminderDispatcher {
        let figures = ReminderMetrics(in: metrics)
        let options = ReminderDispatcher.Settings()
        let round = ReminderRound(
            records,
            ReminderDelivery(pushes, replies: replies, speech: speech, figures: figures, log: log),
            planner: OccurrencePlanner(patience: .seconds(settings.integer(.reminderPatience) * 60)),
            lease: options.lease,
            figures: figures,
            log: log
        )
        return ReminderDispatcher(records, round, settings: options, log: log)
    }
}
