import Foundation

/// A turn's response as the terminal shows it.
struct SpokenTurn: Sendable {
    let response: ServiceClient.Response

    /// Prints the reply, or fails with the reason for the refusal.
    ///
    /// - Throws: The refusal as a sentence.
    func show(asJSON: Bool, withTrace: Bool) throws(CommandFailure) {
        let envelope = try? JSONDecoder().decode(ServiceClient.Envelope.self, from: Data(response.body))
        guard response.status == 200, let said = envelope?.data else {
            let reason = envelope?.error.map { "\($0.message) (\($0.code))" } ?? "status \(response.status)"
            throw CommandFailure("The service refused: \(reason)", .refused)
        }
        Terminal.out(asJSON ? response.text : said.response)
        guard withTrace else { return }
        Terminal.error(Self.remarks(said))
        Terminal.error(Waterfall(serverTiming: response.serverTiming).drawn())
    }

    private static func remarks(_ said: ServiceClient.Envelope.Said) -> String {
        var remarks = ["source \(said.source)"]
        if said.alert_sent { remarks.append("alert sent") }
        if said.keep_listening { remarks.append("keeps listening") }
        if !said.flags.isEmpty { remarks.append("flags \(said.flags.joined(separator: ", "))") }
        if !said.degraded.isEmpty { remarks.append("degraded \(said.degraded.joined(separator: ", "))") }
        return remarks.joined(separator: " · ")
    }
}
