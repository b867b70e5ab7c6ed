import Foundation
package import Runtime
import Synchronization

/// The llama.cpp server that runs a local model, as a child that is started, watched and ended with the service.
///
/// A child that dies is started again: after a fifth of a second, and more slowly each time if it keeps dying. Turns
/// meanwhile find nothing at its address and are answered as whenever a model is away.
package final class LocalModelServer: Service {
    package let name = "local_model"
    private let keeper: LocalModelKeeper

    /// Makes a server that does not run yet.
    package init(_ settings: LocalModelSettings, log: Log) {
        keeper = LocalModelKeeper(settings, log)
    }

    /// Where the server listens, such as `http://127.0.0.1:40001`; nil while no model is loaded.
    package var address: String? { keeper.address }

    /// Starts the child and returns once its model is loaded: 0.4 to 2 s for a small one.
    ///
    /// - Throws: ``LocalModelError``.
    package func start() async throws {
        try await keeper.start().get()
    }

    package func drain(by deadline: Deadline) async {
        await keeper.stop(by: deadline)
    }
}
