package import Conversation

/// How the service does: every part of it, and what is done without.
package struct HealthPage: ConsolePage {
    package let title: String? = "Health"
    package let place = "health"
    private let readiness: any Readiness

    /// Makes the page.
    package init(_ readiness: any Readiness) {
        self.readiness = readiness
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/health") { call async throws(ConsoleRefusal) in
                .page(title: "Health", parts)
            }
        ]
    }

    private var parts: HTML {
        var table = Table("The parts of this replica", columns: ["Part", "State", "What is wrong"])
        for part in readiness.parts { table.add("\(part.name)", Self.badge(part.state), "\(part.detail)") }
        return table.html()
    }

    private static func badge(_ state: ReadinessPart.State) -> HTML {
        switch state {
        case .ready: Badge("ready", .good).html
        case .degraded: Badge("degraded", .warning).html
        case .down: Badge("down", .danger).html
        }
    }
}
