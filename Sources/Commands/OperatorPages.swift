import Console
import Conversation
import Evaluation
import Foundation
import PostgresStore
import Prompts
import Runtime
import Safety

/// Assembles the console's pages for tuning and acting, and the evaluation bench that they share.
struct OperatorPages: Sendable {
    /// Pages in the order of the navigation.
    let pages: [any ConsolePage]
    /// Dependencies of turn replays.
    let replays: ReplayParts
    /// The evaluation bench, which is a service to start.
    let bench: EvaluationBench

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - recall: Embeds the messages of replayed turns.
    ///   - space: Vector space of the messages' embeddings.
    ///   - model: Model for fixtures without a scripted model; nil if none is configured.
    ///   - catchUp: Applies the newest release on this replica.
    ///   - acknowledged: Called with the waiting time of an alert that an operator acknowledges.
    static func make(
        _ settings: Settings,
        records: PostgresRecords,
        bundles: BundlesInForce,
        recall: any MemoryRecall,
        space: String,
        model: (any LanguageModel)?,
        catchUp: @escaping @Sendable () async -> Void,
        acknowledged: @escaping @Sendable (Duration, Level) -> Void,
        log: Log
    ) -> OperatorPages {
        let bench = EvaluationBench(log: log)
        let runs = settings.folder(.runsFolder)
        // A separate loader, so that loading a draft does not evict the active bundle's cached rules.
        let suite = PromotionSuite(settings)
        let make = BundleParts(space: space, trustedBy: BundleParts.lock(settings)).make
        let desk = ReleaseDesk(
            records,
            environment: settings[.environment].text,
            runs: EvalRunFolder(URL(fileURLWithPath: runs)),
            suite: suite.digest,
            lock: BundleParts.lock(settings),
            make: make
        )
        let supplies = BenchSupplies(
            fixtures: suite.fixtures,
            models: [model].compactMap { $0 },
            price: TokenPrice(
                prompt: settings.number(.llmPromptPrice),
                completion: settings.number(.llmCompletionPrice)
            ),
            budgets: StageBudgets(turn: settings.duration(.budget)),
            runsFolder: runs
        )
        let prompts = PromptParts(
            bundles: bundles,
            desk: desk,
            catchUp: catchUp,
            make: make,
            bench: bench,
            supplies: supplies,
            audit: records
        )
        let pages: [any ConsolePage] = [
            AlertsPage(records, acknowledged: acknowledged), PromptsPage(prompts),
            RulesPage(RuleShelf(bundles, BundleParts.rules), bundles, hits: records),
            EvalsPage(RunShelf(folder: runs)),
        ]
        return OperatorPages(pages: pages, replays: ReplayParts(prompts, recall: recall), bench: bench)
    }
}
