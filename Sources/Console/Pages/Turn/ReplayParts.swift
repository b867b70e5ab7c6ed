package import Conversation
import Evaluation
import Prompts

/// Dependencies of turn replays.
package struct ReplayParts: Sendable {
    /// Finds the active bundle and stored ones.
    let shelf: BundleShelf
    /// Evaluation bench on which turns are replayed.
    let bench: EvaluationBench
    /// Models for the replay, and the time budget of a turn.
    let supplies: BenchSupplies
    /// Embeds the message and finds earlier memories.
    let recall: any MemoryRecall

    /// Creates them from the dependencies of the prompts page.
    package init(_ prompts: PromptParts, recall: any MemoryRecall) {
        shelf = BundleShelf(bundles: prompts.bundles, desk: prompts.desk)
        bench = prompts.bench
        supplies = prompts.supplies
        self.recall = recall
    }

    /// Bundles to choose from: the active one and the ones stored last.
    func choices() async throws(ConsoleRefusal) -> [StoredBundle] {
        do throws(ReleaseRefusal) {
            return try await shelf.desk.bundles(limit: 20)
        } catch {
            throw ConsoleRefusal(error)
        }
    }

    /// Loads a bundle so that it can answer.
    func loaded(_ bundle: ShelvedBundle) async throws(ConsoleRefusal) -> TurnBundle {
        let inForce = shelf.bundles.loaded
        if inForce.digest == bundle.digest { return inForce.turn }
        do throws(ReleaseRefusal) {
            return try await shelf.desk.made(bundle.files).turn
        } catch {
            throw ConsoleRefusal(error)
        }
    }
}
