import Conversation
import Evaluation
import HTTPServing
import Prompts

/// Replay routes: answers a turn again with another bundle. Nothing is stored and nobody is notified.
extension TurnPage {
    var replaying: [ConsoleRoute] {
        [
            .post("/turns/{patient}/{message}/replay", .operator, action: "turn_replay", replay),
            .get("/turns/{patient}/{message}/replays/{id}", .operator, isUse: false, show),
        ]
    }

    private func replay(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let record = try await turn(call)
        let bundle = try await replays.shelf.bundle(call.form["bundle"])
        let memory = try await memory(before: record, call)
        let work = TurnReplay(
            record,
            memory: memory,
            recall: replays.recall,
            parts: replays.supplies.parts(of: try await replays.loaded(bundle)),
            bundle: bundle.digest
        )
        let id: String
        do throws(BenchRefusal) {
            id = try replays.bench.begin(.replay(work))
        } catch {
            throw .conflict("\(error)")
        }
        try await call.note("turn_replayed", patient: record.patient.id, ["bundle": bundle.digest])
        return .redirect(Self.path(of: record, "replays", id))
    }

    /// Shows the outcome of a replay, only to the tenant and for the turn that were replayed.
    private func show(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let record = try await turn(call)
        let id = call.request.parameters["id"] ?? ""
        if replays.bench.current?.id == id {
            return .page(
                title: "Replaying",
                """
                <p><label for="bar">The bundle is answering</label></p><progress id="bar"></progress>
                <p class="quiet">It takes five seconds at most. The page looks again by itself; without scripts, load it again.</p>
                """,
                scripts: [.bench]
            )
        }
        switch replays.bench.outcome(of: id) {
        case .replay(let replayed):
            guard replayed.record.message.id == record.message.id, replayed.record.patient.tenant == call.tenant else {
                throw .notFound
            }
            try await call.note("turn_replay_read", patient: record.patient.id, ["bundle": replayed.bundle])
            let view = ReplayView(replayed, elapsed: elapsed(of: record, call), call.masking)
            return .page(title: "A turn replayed", "\(view.html)\(try await choice(call, record))")
        case .failed(let reason): throw .conflict(reason)
        case .sideBySide, .run: throw .notFound
        case nil:
            throw .conflict(
                "What came of it is forgotten; the bench keeps the last eight outcomes. Replay the turn again."
            )
        }
    }

    private func memory(
        before record: TurnRecord,
        _ call: ConsoleCall
    ) async throws(ConsoleRefusal) -> PatientMemory {
        do throws(RecordsError) {
            return try await reads.memory(before: record, by: call.deadline)
        } catch {
            throw ConsoleRefusal(error)
        }
    }

    /// Form that selects a bundle.
    func choice(_ call: ConsoleCall, _ record: TurnRecord) async throws(ConsoleRefusal) -> HTML {
        let inForce = replays.shelf.inForce
        let stored = try await replays.choices().filter { $0.digest != inForce.digest }
        let options =
            [(inForce.digest, "\(inForce.version), in force")]
            + stored.map { ($0.digest, "\($0.digest.prefix(12)), stored \(Figure.minute($0.storedAt))") }
        let field = Field("bundle", "Bundle", .choice(options.map { (value: $0.0, name: $0.1) }))
        return """
            <section class="panel"><h2>Replay it on a bundle</h2><p>The same words, at the same time, with what was remembered \
            then. Nothing is stored, and nobody is told. The model is asked live, so that its words may differ each time.</p>\
            \(call.form(
                to: Self.path(of: record, "replay"),
                "\(field.html)<div class=\"buttons\"><button type=\"submit\" class=\"plain\">Replay</button></div>"
            ))</section>
            """
    }
}
