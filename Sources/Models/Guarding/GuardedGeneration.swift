import Conversation

/// The streaming reply of a guarded model.
final class GuardedGeneration: Generation {
    private let generation: any Generation
    private let call: GuardedCall

    init(_ generation: any Generation, _ call: GuardedCall) {
        self.generation = generation
        self.call = call
    }

    var usage: TokenUsage { generation.usage }

    func next() async throws(ModelError) -> String? {
        do throws(ModelError) {
            guard let piece = try await generation.next() else {
                call.end()
                return nil
            }
            if piece.contains(where: { !$0.isWhitespace }) { call.speak() }
            return piece
        } catch {
            call.end(with: error)
            throw error
        }
    }

    func stop() {
        generation.stop()
        call.end()
    }

    deinit { stop() }
}
