package import Conversation
import Evaluation
import Prompts

/// What turns are replayed with.
package struct ReplayParts: Sendable {
    /// What is in force, and what is stored.
    let shelf: BundleShelf
    /// Where turns are replayed.
    let bench: EvaluationBench
    /// The models that are asked, and a turn's time.
    let supplies: BenchSupplies
    /// Embeds the words, and finds what was said before.
    let recall: any MemoryRecall

    /// Gathers the parts: those of the prompts' pages, and recall.
    package init(_ prompts: PromptParts, recall: any MemoryRecall) {
        shelf = BundleShelf(bundles: prompts.bundles, desk: prompts.desk)
        bench = prompts.bench
        supplies = prompts.supplies
        self.recall = recall
    }

    /// The bundles that may be chosen: the one in force, and those that were stored last.
    func choices() async throws(ConsoleRefusal) -> [StoredBundle] {
        do throws(ReleaseRefusal) {
            return try await shelf.desk.bundles(limit: 20)
        } catch {
            throw ConsoleRefusal(error)
        }
    }

    /// A bundle ready to answer.
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
