/// How the service does: its parts, its limits, how long everything takes, and what waits.
package struct HealthPage: ConsolePage {
    package let title: String? = "Health"
    package let place = "health"
    private let history: HealthHistory

    /// Makes the page over a history.
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
