import Conversation
import Domain
import Foundation
import Models
import Runtime
import Synchronization

/// Warms up the local model with the fixed part of the prompt before the first patient speaks.
///
/// Reading that part takes seconds on a small machine; later prompts then cost only their new part. The service is
/// ready meanwhile, and answers without the model if necessary.
final class ModelWarmUp: Service {
    let name = "model_warm_up"
    private static let time = Duration.seconds(60)

    private let model: HostedModel
    private let composer: any PromptComposer
    private let isDemonstration: Bool
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ model: HostedModel, composing composer: any PromptComposer, isDemonstration: Bool) {
        self.model = model
        self.composer = composer
        self.isDemonstration = isDemonstration
    }

    func start() async {
        let input = PromptInput(
            text: "Hello.",
            date: Date(),
            memory: nil,
            memories: [],
            wordCap: Turn.maximumWords,
            tone: "warm",
            isForDemonstration: isDemonstration
        )
        guard let prompt = try? composer.compose(input) else { return }
        let warming = Task { [model] in
            await model.warm(prompt, by: Deadline(after: Self.time))
        }
        task.withLock { $0 = warming }
    }

    func drain(by deadline: Deadline) async {
        let warming = task.withLock { $0 }
        warming?.cancel()
        await warming?.value
    }
}

/// Wraps a service whose failed start is only logged, so that the other services start all the same.
struct OptionalService: Service {
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
