import Domain
import HTTPClient
import PostgresStore
import Runtime
import Speech

/// Assembles speech: the engine on this machine, or the service that the settings name.
enum SpeechAssembly {
    /// Creates the library; nil when speech is switched off.
    ///
    /// - Parameter base: Public address of the service without a trailing slash.
    static func make(
        _ settings: Settings,
        base: String,
        records: PostgresRecords,
        client: HTTPClient,
        log: Log,
        metrics: Metrics
    ) throws(CommandFailure) -> SpeechLibrary? {
        guard settings[.speech].text == "on" else { return nil }
        let engine: any SpeechEngine =
            if let url = settings.text(.speechURL), let model = settings.text(.speechModel) {
                HostedSpeech(.init(url: url, model: model, key: settings.text(.speechKey)), over: client)
            } else {
                EmbeddedSpeech()
            }
        return SpeechLibrary(
            engine,
            records,
            links: SpeechLinks(secret: try PersistedSecret.bytes(.alertSecret, settings), base: base),
            settings: .init(
                voice: settings[.speechVoice].text,
                speed: settings.integer(.speechSpeed),
                recordBytes: settings.integer(.speechCache) << 20
            ),
            figures: SpeechMetrics(in: metrics),
            log: log
        )
    }
}
