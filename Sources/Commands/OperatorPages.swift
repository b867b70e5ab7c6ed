import Console
import Conversation
import Evaluation
import Foundation
import PostgresStore
import Prompts
import Runtime
import Safety

/// The console's pages on which operators tune and act, and the bench that they share.
struct OperatorPages: Sendable {
    /// In the order of the navigation.
    let pages: [any ConsolePage]
    /// What turns are replayed with.
    let replays: ReplayParts
    /// What must run for them.
    let bench: EvaluationBench

    /// Makes the pages.
    ///
    /// - Parameters:
    ///   - recall: Embeds the words of turns that are replayed.
    ///   - space: The space of messages' vectors.
    ///   - model: The model that fixtures without a script are asked of; nil where none is set.
    ///   - catchUp: Puts the newest release in force on this replica.
    ///   - acknowledged: Is told how long an alert waited that an operator takes on.
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
        // Parts of its own, so that a draft that is being typed takes nothing from the bundle that is followed.
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
