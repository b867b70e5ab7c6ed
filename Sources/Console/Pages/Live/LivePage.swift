import Conversation
import HTTPServing
package import Runtime

/// Live view of turns, each drawn against the five-second limit.
package struct LivePage: ConsolePage {
    package let title: String? = "Live"
    package let place = "live"
    /// Interval between two updates of a page.
    private static let pace = Duration.milliseconds(250)
    /// Interval of heartbeats on an idle page, at which the session is checked too.
    private static let pulse = Duration.seconds(15)
    /// Limit on rows per update; a person cannot read more.
    private static let mostRows = 10
    private static let mostAtFirst = 100

    private let feed: LiveFeed
    private let relay: TurnRelay?
    private let time: any TimeSource

    /// Creates the page.
    ///
    /// - Parameter relay: Source of turns of other replicas; nil if there are none.
    package init(_ feed: LiveFeed, _ relay: TurnRelay? = nil, time: any TimeSource = SystemTime()) {
        self.feed = feed
        self.relay = relay
        self.time = time
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/live") { call async throws(ConsoleRefusal) in page(call) },
            .get("/live/events", isUse: false) { call async throws(ConsoleRefusal) in try events(call) },
        ]
    }

    private func page(_ call: ConsoleCall) -> ConsoleAnswer {
        let batch = feed.batch(of: call.tenant, after: nil, masking: call.masking, most: Self.mostAtFirst)
        let levels = Level.allCases.map { ($0.rawValue, $0 == .none ? "all levels" : "\($0.rawValue) and above") }
        let filters: HTML = """
            <form class="filters buttons" data-live-filters>\
            \(Field("patient", "Patient", hint: "").html)\
            \(Field("level", "Level", .choice(levels), value: Level.none.rawValue).html)\
            \(Field("bundle", "Bundle").html)\
            <button type="button" data-live-pause aria-pressed="false">Pause</button></form>
            """
        let head: HTML = """
            <thead><tr><th scope="col">When and who</th><th scope="col">What was said</th><th scope="col">Level</th>\
            <th scope="col">Stages, to 5 s</th><th scope="col">How</th></tr></thead>
            """
        let source = ConsolePath("live", "events", query: ["after": "\(batch.next)"])
        return .page(
            title: "Live",
            """
            \(filters)<p class="quiet" role="status" data-live-state>Without scripts this page shows what was answered when \
            it was loaded.</p>\
            <div class="scroll"><table class="live" data-live="\(source)"><caption>The newest turn comes first. The \
            dashed line is five seconds.</caption>\(head)<tbody>\(batch.rows.reversed())</tbody>\
            </table></div>
            """,
            scripts: [.live]
        )
    }

    private func events(_ call: ConsoleCall) throws(ConsoleRefusal) -> ConsoleAnswer {
        let after = (call.request.headers["Last-Event-ID"] ?? call.request.queryValue("after")).flatMap(Int.init)
        guard feed.watchers.join(call.tenant) else {
            throw .conflict("Too many live pages are open. Close one and load this again.")
        }
        return .events { writer in
            defer { feed.watchers.leave(call.tenant) }
            relay?.watched()
            try await stream(to: writer, from: after ?? 0, for: call)
        }
    }

    /// Sends updates, at most four per second, until the page closes, the session ends or the service drains.
    private func stream(to writer: any BodyWriter, from start: Int, for call: ConsoleCall) async throws {
        var place = start
        var pulse = time.now
        var shownScope: String?
        while !feed.watchers.isClosed {
            let (tenant, masking) = (call.tenant, call.masking)
            if let event = feed.event(of: tenant, after: place, masking: masking, most: Self.mostRows) {
                place = event.next
                if !event.bytes.isEmpty { try await writer.write(event.bytes) }
            }
            if let scope, scope != shownScope {
                try await writer.write(Array("event: scope\ndata: \(scope)\n\n".utf8))
                shownScope = scope
            }
            if time.now.since(pulse) >= Self.pulse {
                guard await call.isStillSignedIn() else {
                    return try await writer.write(Array("event: end\ndata:\n\n".utf8))
                }
                try await writer.write(Array(":\n\n".utf8))
                pulse = time.now
            }
            try await time.sleep(until: time.now + Self.pace)
        }
    }

    /// Scope of the shown turns for the page's script: "all" or "own"; nil while unknown.
    private var scope: String? {
        guard let relay else { return "own" }
        return relay.showsOthers.map { $0 ? "all" : "own" }
    }
}
