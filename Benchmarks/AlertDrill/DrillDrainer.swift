import Alerts
import Conversation
import Domain
import Foundation
import HTTPClient
import PostgresStore
import Runtime

/// One replica of the drainer, which lives until it is killed.
enum DrillDrainer {
    static func run(database: String, providers: String, account path: String) async {
        guard let address = try? PostgresAddress(database), let file = FileManager.default.contents(atPath: path),
            let account = ServiceAccount(json: [UInt8](file)),
            let twilio = TwilioAccount(sid: "AC1", token: "tw-secret", sender: "+15005550006")
        else { fatalError("alert-drill drain DATABASE PROVIDERS ACCOUNT") }
        let loops = EventLoopGroup(count: 1)
        let log = Log(to: StandardErrorSink(), minimum: .error)
        let metrics = Metrics()
        let pool = PostgresPool(address, on: loops, metrics: PostgresMetrics(in: metrics), log: log)
        await pool.start()
        let client = HTTPClient(on: loops)
        let provider = Provider(client)
        let figures = AlertMetrics(in: metrics)
        let delivery = AlertDelivery(
            [
                PushSender(account, provider, base: providers), TextSender(twilio, provider, base: providers),
                WebhookSender(url: providers + "/hook", secret: "a secret that two servers share", provider),
            ],
            links: AlertLinks(key: [UInt8](repeating: 7, count: 32), base: "https://hearth.example"),
            figures: figures,
            log: log
        )
        let dispatcher = AlertDispatcher(PostgresRecords(pool), delivery, figures: figures, log: log)
        try? await dispatcher.start()
        _ = await OneShot<Void>().value(ifCancelled: ())
    }
}
