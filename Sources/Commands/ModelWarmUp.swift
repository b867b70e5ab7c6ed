import Conversation
import Foundation
import Models
import Runtime
import Synchronization

/// Has the local model read the fixed part of the prompt before the first patient speaks.
///
/// Reading it takes seconds on a small machine; afterwards only what is new in a prompt is read. The service is ready
/// meanwhile: a turn that comes first is answered, if need be without the model.
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
