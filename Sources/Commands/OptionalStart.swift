import Runtime

/// Wraps a service whose failed start is only logged, so that the other services start all the same.
struct OptionalStart: Service {
    private let service: any Service
    private let log: Log

    init(_ service: any Service, log: Log) {
        self.service = service
        self.log = log
    }

    var name: String { service.name }

    func start() async {
        do {
            try await service.start()
        } catch {
            log.error("service_not_started", "service" ~ name, "reason" ~ "\(error)")
        }
    }

    func drain(by deadline: Deadline) async {
        await service.drain(by: deadline)
    }
}
