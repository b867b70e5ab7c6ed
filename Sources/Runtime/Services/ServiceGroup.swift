/// Services that start in order and are drained in the reverse order, inside one drain deadline.
package struct ServiceGroup: Sendable {
    private let services: [any Service]
    private let drainTime: Duration
    private let log: Log

    /// Makes a group.
    ///
    /// - Parameters:
    ///   - services: In the order in which they start; each may use those before it.
    ///   - drainTime: How long all of them together may take to drain.
    package init(_ services: [any Service], drainTime: Duration, log: Log) {
        self.services = services
        self.drainTime = drainTime
        self.log = log
    }

    /// Starts every service, waits until `stop` returns, then drains those that were started.
    ///
    /// - Throws: The first failure to start, after the services before it have been drained.
    package func run(until stop: () async -> Void) async throws {
        var started: [any Service] = []
        do {
            for service in services {
                try await service.start()
                started.append(service)
                log.debug("service_started", "service" ~ service.name)
            }
        } catch {
            await drain(started)
            throw error
        }
        await stop()
        await drain(started)
    }

    private func drain(_ started: [any Service]) async {
        let deadline = Deadline(after: drainTime)
        for service in started.reversed() {
            let before = Instant.now
            await service.drain(by: deadline)
            let spent = Instant.now.since(before)
            log.debug("service_drained", "service" ~ service.name, "milliseconds" ~ spent.milliseconds)
        }
    }
}
