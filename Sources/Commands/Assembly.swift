import API
import Alerts
import Console
import Conversation
import Domain
import Foundation
import HTTPClient
import HTTPServing
import Models
import PostgresStore
import Prompts
import Recall
import Runtime
import Safety
import Speech
import Spool

/// Composition root: the one place that knows every concrete type.
///
/// Creates the service's parts and their start order.
struct Assembly: Sendable {
    /// Extent of the service that this process runs.
    enum Scope: Sendable {
        /// Only the service.
        case service
        /// Adds a private database, a local model and a demonstration patient, unless the settings name others.
        case embedded
    }

    /// Event loops of the service; the first one also watches signals.
    let loops: EventLoopGroup
    private let services: [any Service]
    private let server: HTTPServer
    private let settings: Settings
    private let log: Log
    private let sink: StandardErrorSink

    /// Creates the parts.
    ///
    /// Loads the embedding engine and the rules, but starts nothing.
    static func make(_ settings: Settings, scope: Scope, port: Int) async throws(CommandFailure) -> Assembly {
        let sink = StandardErrorSink()
        let log = Log(to: sink, minimum: settings.logLevel)
        let metrics = Metrics()
        try DataFolder.make(settings.folder(.dataFolder))
        let loops = EventLoopGroup(count: settings.loopCount)
        let client = HTTPClient(on: loops)

        let database = try EmbeddedDatabase(settings, log: log)
        let pool = PostgresPool(database.address, on: loops, metrics: PostgresMetrics(in: metrics), log: log)
        let records = PostgresRecords(
            pool,
            lulls: FactReadingSettings(
                quiet: .seconds(settings.integer(.factsQuiet) * 60),
                turns: settings.integer(.factsTurns)
            )
        )
        let spool = DiskSpool(
            .init(path: settings.folder(.dataFolder) + "/spool.sqlite"),
            metrics: SpoolMetrics(metrics)
        )
        let recall = await RecallAssembly.make(settings, over: records, client: client, log: log, metrics: metrics)
        let parts = BundleLoader(spaces: recall.spaces, trustedBy: BundleLoader.lock(settings))
        let bundles = ActiveBundles(try parts.first(settings, log: log))
        let releases = ReleaseReconciler(
            bundles,
            records,
            settings: .init(
                environment: settings[.environment].text,
                folder: BundleLoader.folder(settings),
                make: parts.make,
                trust: parts.trust
            ),
            log: log,
            metrics: ReleaseMetrics(metrics)
        )
        let models = ModelAssembly.make(settings, scope: scope, client: client, composer: bundles, log: log)

        let embedding = ExchangeEmbedding(
            recall: recall.recall,
            screening: LateScreening(records, bundles: releases, models: models.models, metrics: metrics, log: log)
        )
        let extraction = models.extractor.map { FactExtraction(composer: bundles, model: $0, log: log) }
        let jobs = FollowUpJobs(
            records,
            handlers: [embedding] + [extraction].compactMap { $0 },
            settings: JobRunnerSettings(
                concurrency: settings.integer(.jobsAtOnce),
                depth: 8,
                gathering: .milliseconds(100),
                settling: .seconds(5)
            ),
            on: loops.loops[loops.loops.count - 1],
            log: log,
            metrics: metrics
        )
        let known = LastKnownStore(
            .init(
                path: settings.folder(.dataFolder) + "/last-known.sqlite",
                secret: try PersistedSecret.bytes(.lastKnownSecret, settings),
                ageLimit: .seconds(settings.integer(.lastKnownHours) * 3600)
            ),
            log: log
        )
        let recent = RecentMemories(lasting: known)
        let alerts = try AlertAssembly.make(
            settings,
            port: port,
            records: records,
            spool: spool,
            known: recent,
            client: client,
            log: log,
            metrics: metrics
        )
        let speech = try SpeechAssembly.make(
            settings,
            base: settings.publicAddress(port: port),
            records: records,
            client: client,
            log: log,
            metrics: metrics
        )
        let reminders = ReminderAssembly.make(
            settings,
            records: records,
            pushes: alerts.pushes,
            speech: speech ?? NoSpeech(),
            replies: { releases.active.replies },
            log: log,
            metrics: metrics
        )
        let webhooks = try WebhookAssembly.make(
            settings,
            records: records,
            client: client,
            on: loops,
            log: log,
            metrics: metrics
        )
        let live = LiveFeed(metrics)
        let triage = ModelAssembly.triage(settings, client: client, log: log).map {
            ModelTriage($0, records: records, metrics: TriageMetrics(metrics), log: log)
        }
        let relay = ReplicaFanout(live, records, records, metrics: metrics, log: log)
        let traces = TraceExporter.make(settings, client: client, log: log, metrics: metrics)
        let observers: [any TurnObserving] = [relay] + (traces.map { [$0] } ?? [])
        let turnMetrics = TurnMetrics(metrics)
        let turnParts = PipelineDependencies(
            records: records,
            spool: spool,
            delivery: alerts.spooled,
            recent: recent,
            recall: recall.recall,
            screen: releases.active.screen,
            policy: releases.active.policy,
            output: releases.active.output,
            composer: bundles,
            models: models.models,
            replies: releases.active.replies,
            trust: releases.active.trust,
            disclosure: Disclosure(settings),
            bundles: releases,
            reminderStore: records,
            observer: TurnObservers(all: observers),
            triage: triage,
            onJobsQueued: jobs.wake
        )
        let pipeline = TurnPipeline(
            turnParts,
            budgets: StageBudgets(settings),
            calls: CallBudgets(settings),
            admission: TurnAdmission(AdmissionLimits(settings), metrics: metrics),
            metrics: turnMetrics,
            log: log
        )
        let readiness = ServiceReadiness([
            { pool.readiness }, { recall.readiness }, { bundles.ruleReadiness }, { models.readiness },
            { bundles.promptReadiness },
            { models.posture(bundles.loaded.turn.trust) }, { spool.readiness }, { alerts.readiness },
            { speech?.readiness ?? ReadinessPart("speech", detail: "off") },
        ])
        let incidents = IncidentsPage(records, acknowledged: alerts.acknowledged)
        let erasures = ErasureFollower(
            records,
            copies: recall.copies + [recent, known, live, incidents, SpoolCopies(spool, alerts: alerts.spooled)]
                + (speech.map { [$0] } ?? []),
            removals: RemovalFollower(records, memories: recall.copies + [recent], marks: recall.marks, log: log),
            log: log,
            closed: recent.forget
        )
        let speaking = SpokenPushSender(records, alerts.pushes, speech: speech ?? NoSpeech(), log: log)
        let api = APIDependencies(
            turns: pipeline,
            interpreter: ReminderInterpreter(turnParts, metrics: turnMetrics, log: log),
            reads: records,
            alertIntake: alerts.service,
            falls: alerts.falls,
            activity: records,
            roster: records,
            occurrences: records,
            devices: records,
            speaking: speaking,
            speech: speech ?? NoSpeech(),
            digests: records,
            digestWriter: alerts.digests,
            directory: records,
            erasure: records,
            export: records,
            erased: { await erasures.erase($0, of: $1, by: $2) },
            alerts: records,
            acknowledged: alerts.acknowledged,
            requests: records,
            tenants: records,
            userKeys: records,
            retention: records,
            keys: records,
            knownKeys: known,
            users: records,
            deviceRecords: records,
            webhooks: records,
            webhookRules: webhooks.rules,
            tokens: try IdentityAssembly.tokens(settings),
            providers: try IdentityAssembly.providers(settings),
            keySets: { await KeySetFetcher(client: client).fetch($0, by: $1) },
            identities: records,
            factorSecrets: try IdentityAssembly.factorSecrets(settings),
            linkRecords: records,
            mailing: alerts.mailing(settings),
            codeRecords: records,
            texting: alerts.texting,
            proxy: settings.text(.consoleProxy),
            crossOrigin: try IdentityAssembly.crossOrigin(settings),
            isSecure: settings.text(.publicURL)?.hasPrefix("https://") == true,
            contactsChanged: { patient, tenant in
                Task {
                    let deadline = Deadline(after: .seconds(2))
                    guard let profile = try? await records.profile(of: patient, tenant: tenant, by: deadline) else {
                        return
                    }
                    known.keep(profile.patient, reachable: profile.contacts)
                }
            },
            bundles: bundles,
            readiness: readiness,
            metrics: metrics,
            log: log,
            limits: APILimits(
                turn: settings.duration(.budget),
                keyStaleness: .seconds(max(1, settings.integer(.lastKnownHours)) * 3600)
            )
        )
        let routes = Routes(api)
        let households = LastKnownSync(records, into: known, log: log) { await api.keys.review() }
        let operating = OperatorPages.make(
            settings,
            records: records,
            bundles: bundles,
            recall: recall.recall,
            spaces: recall.spaces,
            model: models.extractor,
            catchUp: releases.catchUp,
            incidents: incidents,
            speaking: alerts.hasPushes ? speaking : nil,
            log: log
        )
        let health = HealthHistory(
            metrics,
            readiness,
            models: models.models,
            sharing: .init(records, replica: ReplicaName.text(port: port), log: log)
        )
        let console = Console(
            ConsoleDependencies(
                operators: records,
                users: UserProofs(api),
                incidents: records,
                rules: SessionLimits(settings),
                proxy: settings.text(.consoleProxy),
                metrics: metrics,
                log: log
            ),
            pages: operating.board
                + [LivePage(live, relay), TurnPage(records, live, FixtureExporter(records), operating.replays)]
                + operating.pages
                + [HealthPage(health), IdentityAssembly.accounts(records, api, webhooks.rules)]
                + [OwnAccountPage(records, proofs: UserProofs(api))]
        )
        var router = routes.router
        console.add(to: &router)
        let server = HTTPServer(
            router: router,
            loops: loops,
            host: settings[.host].text,
            port: port,
            metrics: metrics,
            errorResponse: { failure, request in
                Console.isAt(request.path) ? console.refuse(failure, request) : routes.refuse(failure, request)
            }
        )
        let listener = PostgresListener(
            database.address,
            on: loops.loops[0],
            log: log,
            handlers: [
                MemoryEvent.channel: recall.heard, PostgresRecords.alertChannel: webhooks.heard(alerts.heard),
                ReleaseEvent.channel: releases.heard, TurnEvent.channel: relay.heard,
                PostgresRecords.keyChannel: api.keys.heard, PatientEvent.channel: erasures.heard,
            ]
        )
        let following = FolderReloader(BundleLoader.folder(settings), on: loops.loops[0], log: log) {
            releases.filesChanged()
        }
        let schema = SchemaPreparation(database.address, scope: scope, log: log)
        let demonstration = Demonstration(records, records, records, dataFolder: settings.folder(.dataFolder))
        let store: [(any Service)?] = [
            database.cluster, schema, pool, known, recall.recall, listener, releases, following,
            scope == .embedded ? demonstration : nil,
        ]
        let drain = SpoolDrain(spool, into: records, alerts: alerts.spooled, knowing: recent, log: log)
        let services =
            store.compactMap { $0 } + [drain, client] + webhooks.services + [
                RetentionService(records, metrics: metrics, log: log)
            ]
            + models.services + alerts.services
            + [triage].compactMap { $0 } + [traces].compactMap { $0 }
            + [jobs, reminders, households, erasures, health, operating.bench, server, relay, live]
        return Assembly(loops: loops, services: services, server: server, settings: settings, log: log, sink: sink)
    }

    /// Starts all services, runs the body with the service's address, and drains all services when the body returns.
    ///
    /// - Parameter signals: The stream of signals; one during the start aborts it.
    func run<Value: Sendable>(
        stoppedBy signals: ShutdownSignals,
        _ body: @Sendable (_ address: String) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(HTTPServingError) {
            try server.checkAddress()
        } catch {
            loops.stop()
            sink.flush()
            throw CommandFailure("\(error) Take another with --host and --port.")
        }
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
