import Runtime

/// A service that the process can do without: when it does not start, that is logged and the others start all the same.
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
