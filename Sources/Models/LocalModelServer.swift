import Foundation
package import Runtime
import Synchronization

/// Supervises the llama.cpp server of a local model as a child process.
///
/// A child that dies is restarted after 0.2 s, and more slowly after repeated failures. Meanwhile turns find no address
/// and use the fallback for an unavailable model.
package final class LocalModelServer: Service {
    package let name = "local_model"
    private let keeper: LocalModelKeeper

    package init(_ settings: LocalModelSettings, log: Log) {
        keeper = LocalModelKeeper(settings, log)
    }

    /// The server's address, such as `http://127.0.0.1:40001`; nil while no model is loaded.
    package var address: String? { keeper.address }

    /// Starts the child and returns once its model is loaded; a small one takes 0.4 to 2 s.
    ///
    /// - Throws: ``LocalModelError``.
    package func start() async throws {
        try await keeper.start().get()
    }

    package func drain(by deadline: Deadline) async {
        await keeper.stop(by: deadline)
    }
}
