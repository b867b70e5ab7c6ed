import API
import Conversation
import Foundation
import HTTPClient
import HTTPServing
import Models
import PostgresStore
import Prompts
import Recall
import Runtime
import Safety

/// The one place that knows every concrete type: makes the service's parts and the order in which they start.
struct Assembly: Sendable {
    /// How much of the service this process runs.
    enum Scope: Sendable {
        /// The service alone.
        case service
        /// With a private database, a local model and a demonstration patient, where settings name no others.
        case embedded
    }

    /// The loops that serve; the first one also watches signals.
    let loops: EventLoopGroup
    private let services: [any Service]
    private let server: HTTPServer
    private let settings: Settings
    private let log: Log
    private let sink: StandardErrorSink

    /// Makes the parts; nothing is started, but the embedding engine and the rules are loaded.
    static func make(_ settings: Settings, scope: Scope, port: Int) async throws(CommandFailure) -> Assembly {
        let sink = StandardErrorSink()
        let log = Log(to: sink, minimum: settings.logLevel)
        let metrics = Metrics()
        try DataFolder.make(settings.folder(.dataFolder))
        let loops = EventLoopGroup(count: settings.loopCount)
        let client = HTTPClient(on: loops)

        let database = try EmbeddedDatabase(settings, log: log)
        let pool = PostgresPool(database.address, on: loops, metrics: PostgresMetrics(in: metrics), log: log)
        let records = PostgresRecords(pool)
        let recall = await RecallParts.make(settings, over: records, client: client, log: log, metrics: metrics)
        let parts = BundleParts()
        let bundles = BundlesInForce(try parts.first(settings, log: log))
        let releases = ReleaseFollower(
            bundles,
            records,
            settings: .init(
                environment: settings[.environment].text,
                folder: BundleParts.folder(settings),
                make: parts.make
            ),
            log: log,
            metrics: ReleaseMetrics(metrics)
        )
        let models = ModelParts.make(settings, scope: scope, client: client, composer: bundles, log: log)

        let pipeline = TurnPipeline(
            TurnParts(
                records: records,
                recall: recall.recall,
                screen: releases.active.screen,
                policy: releases.active.policy,
                output: releases.active.output,
                composer: bundles,
                models: models.models,
                bundles: releases
            ),
            budgets: StageBudgets(turn: settings.duration(.budget)),
            metrics: TurnMetrics(metrics),
            log: log
        )
        let followUps = FollowUpJobs(
            embedding: ExchangeEmbedding(records: records, recall: recall.recall),
            extraction: models.extractor.map {
                FactExtraction(records: records, composer: bundles, model: $0, log: log)
            }
        )
        let jobs = JobRunner(records, handler: followUps, log: log, metrics: metrics)
        let routes = Routes(
            APIParts(
                turns: pipeline,
                reads: records,
                keys: records,
                bundles: bundles,
                readiness: ServiceReadiness([
                    { pool.readiness }, { recall.readiness }, { bundles.ruleReadiness }, { models.readiness },
                    { bundles.promptReadiness },
                ]),
                metrics: metrics,
                log: log,
                limits: APILimits(turn: settings.duration(.budget))
            )
        )
        let server = HTTPServer(
            router: routes.router,
            loops: loops,
            host: settings[.host].text,
            port: port,
            metrics: metrics,
            errorResponse: routes.refuse
        )
        let listener = PostgresListener(
            database.address,
            on: loops.loops[0],
            log: log,
            handlers: [MemoryArrival.channel: recall.heard, ReleaseNews.channel: releases.heard]
        )
        let following = FolderFollowing(BundleParts.folder(settings), on: loops.loops[0], log: log) {
            releases.filesChanged()
        }
        let schema = SchemaPreparation(database.address, scope: scope, log: log)
        let demonstration = Demonstration(records, records, dataFolder: settings.folder(.dataFolder))
        let store: [(any Service)?] = [
            database.cluster, schema, pool, listener, releases, following, scope == .embedded ? demonstration : nil,
        ]
        let services = store.compactMap { $0 } + [client] + models.services + [jobs, server]
        return Assembly(loops: loops, services: services, server: server, settings: settings, log: log, sink: sink)
    }

    /// Starts everything, calls with the service's address, and drains everything when the call returns.
    ///
    /// - Parameter signals: A signal during the start gives the start up.
    func run<Value: Sendable>(
        stoppedBy signals: ShutdownSignals,
        _ body: @Sendable (_ address: String) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        let group = ServiceGroup(services, drainTime: settings.duration(.drain), log: log)
        let outcome = OneShot<Result<Value, CommandFailure>>()
        do {
            try await group.run(interruptedBy: { _ = await signals.first() }) {
                outcome.settle(await result(of: body))
            }
        } catch {
            outcome.settle(.failure(error as? CommandFailure ?? CommandFailure("\(error)")))
        }
        loops.stop()
        sink.flush()
        outcome.settle(.failure(CommandFailure("Stopped while it was starting.")))
        return try await outcome.value(ifCancelled: .failure(CommandFailure("Cancelled."))).get()
    }

    private func result<Value: Sendable>(
        of body: @Sendable (_ address: String) async throws(CommandFailure) -> Value
    ) async -> Result<Value, CommandFailure> {
        let address = "http://\(settings[.host].text):\(server.port)"
        log.notice("service_ready", "address" ~ address)
        do throws(CommandFailure) {
            return .success(try await body(address))
        } catch {
            return .failure(error)
        }
    }
}
