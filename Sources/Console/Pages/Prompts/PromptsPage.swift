import Conversation
import Evaluation
import Foundation
import HTTPServing
import Prompts
import Runtime

/// Prompts and their rules: the active bundle, drafts, an editor with lint and preview, a bench, and releases.
package struct PromptsPage: ConsolePage {
    package let title: String? = "Prompts"
    package let place = "prompts"

    /// Name of saving a draft in the audit trail.
    static let drafted = "bundle_drafted"
    static let checkPath = ConsolePath("prompts", "check")
    private static let listed = 20
    private static let remembered = 200

    let parts: PromptParts
    let checks: CheckDesk
    /// Threads for reading fixtures and runs, which blocks.
    let threads = WorkerThreads(name: "fixtures", count: 1, capacity: 8)

    package init(_ parts: PromptParts) {
        self.parts = parts
        checks = CheckDesk(parts.make)
    }

    var shelf: BundleShelf { BundleShelf(bundles: parts.bundles, desk: parts.desk) }

    package var routes: [ConsoleRoute] { reading + editing + trying + releasing }

    private var reading: [ConsoleRoute] {
        [
            .get("/prompts") { call async throws(ConsoleRefusal) in
                .page(title: "Prompts", try await overview(call).html)
            },
            .get("/prompts/history") { call async throws(ConsoleRefusal) in
                let releases = try await asked { () async throws(ReleaseRefusal) in
                    try await parts.desk.releases(limit: Self.remembered)
                }
                let view = HistoryView(environment: parts.desk.environment, releases: releases)
                return .page(title: "Changes", view.html)
            },
            .get("/prompts/bundles/{bundle}") { call async throws(ConsoleRefusal) in
                let bundle = try await bundle(call)
                let view = BundleView(
                    bundle: bundle,
                    inForce: shelf.inForce,
                    justification: try await justification(of: bundle),
                    call: call
                )
                return .page(title: "Bundle \(bundle.version)", view.html)
            },
        ]
    }

    /// Address of a bundle, or of an action on it.
    static func path(of digest: String, _ action: String? = nil) -> ConsolePath {
        let name = String(digest.prefix(12))
        return action.map { ConsolePath("prompts", "bundles", name, $0) } ?? ConsolePath("prompts", "bundles", name)
    }

    /// Address of a file in the editor.
    static func path(of digest: String, file: String) -> ConsolePath {
        ConsolePath("prompts", "bundles", String(digest.prefix(12)), "file", query: ["path": file])
    }

    /// Finds the bundle that the path names.
    func bundle(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ShelvedBundle {
        try await shelf.bundle(call.request.parameters["bundle"] ?? "")
    }

    /// Calls the release service and maps its errors.
    func asked<Value>(
        _ question: () async throws(ReleaseRefusal) -> Value
    ) async throws(ConsoleRefusal) -> Value {
        do throws(ReleaseRefusal) {
            return try await question()
        } catch {
            throw ConsoleRefusal(error)
        }
    }

    private func overview(_ call: ConsoleCall) async throws(ConsoleRefusal) -> PromptsView {
        let release = try await asked { () async throws(ReleaseRefusal) in try await parts.desk.newest() }
        let history = try await asked { () async throws(ReleaseRefusal) in try await parts.desk.history() }
        return PromptsView(
            inForce: shelf.inForce,
            release: release,
            earlier: history.earlier,
            refusal: parts.bundles.refusal.map { "\($0)" },
            posture: parts.supplies.models.first.map { parts.bundles.loaded.turn.trust.sentence(on: $0) },
            trial: try await trial(of: release, call),
            drafts: try await drafts(call),
            call: call
        )
    }

    private func trial(of release: Release?, _ call: ConsoleCall) async throws(ConsoleRefusal) -> TrialView? {
        guard let release, release.trial != nil else { return nil }
        let units = try await asked { () async throws(ReleaseRefusal) in
            try await parts.desk.units(ofTrial: release.number)
        }
        return TrialView(release, units, call)
    }

    /// The bundles stored last.
    ///
    /// The author of a draft is known only within the author's tenant.
    private func drafts(_ call: ConsoleCall) async throws(ConsoleRefusal) -> [PromptsView.Draft] {
        let stored = try await asked { () async throws(ReleaseRefusal) in
            try await parts.desk.bundles(limit: Self.listed)
        }
        let lines: [AuditLine]
        do throws(RecordsError) {
            lines = try await parts.audit.audited(
                Self.drafted,
                of: call.tenant,
                limit: Self.remembered,
                by: call.deadline
            )
        } catch {
            throw ConsoleRefusal(error)
        }
        return stored.map { bundle in
            PromptsView.Draft(bundle: bundle, saved: lines.first { $0.details["bundle"] == bundle.digest })
        }
    }

    private func justification(
        of bundle: ShelvedBundle
    ) async throws(ConsoleRefusal) -> Result<EvalRun, EvalRunFolder.Refusal> {
        do throws(ReleaseRefusal) {
            return .success(try await parts.desk.justification(of: bundle.digest, run: nil))
        } catch {
            if case .unjustified(_, let reason) = error { return .failure(reason) }
            throw ConsoleRefusal(error)
        }
    }
}
