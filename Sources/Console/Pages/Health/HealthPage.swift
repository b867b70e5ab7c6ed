/// Health of the service: parts, limits, latencies and queues.
package struct HealthPage: ConsolePage {
    package let title: String? = "Health"
    package let place = "health"
    private let history: HealthHistory

    package init(_ history: HealthHistory) {
        self.history = history
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/health") { _ async throws(ConsoleRefusal) in
                .page(title: "Health", HealthSheet(history).html)
            }
        ]
    }
}
