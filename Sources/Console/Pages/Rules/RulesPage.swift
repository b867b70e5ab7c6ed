package import Conversation
import Foundation
import HTTPServing
package import Prompts
import Runtime

/// The active rules with precision, recall and hits, and a form that tests a sentence against all of them.
package struct RulesPage: ConsolePage {
    package let title: String? = "Rules"
    package let place = "rules"

    private static let week = 7.0 * 86_400
    private static let longestSentence = 4_000
    /// Part of the request's time that is reserved for the database.
    private static let reserve = Duration.seconds(1)

    private let shelf: RuleShelf
    private let bundles: BundlesInForce
    private let hits: any RuleHits

    package init(_ shelf: RuleShelf, _ bundles: BundlesInForce, hits: any RuleHits) {
        self.shelf = shelf
        self.bundles = bundles
        self.hits = hits
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/rules") { call async throws(ConsoleRefusal) in
                guard let reading = try await reading(call) else { return Self.measuring }
                let view = RulesView(reading: reading, hits: try await weeksHits(call), call: call)
                return .page(title: "Rules", view.html)
            },
            .get("/rules/{rule}") { call async throws(ConsoleRefusal) in
                let rule = call.request.parameters["rule"] ?? ""
                guard let reading = try await reading(call) else { return Self.measuring }
                guard let found = reading.entry(rule) else { throw .notFound }
                let view = RuleView(
                    pack: found.pack,
                    entry: found.entry,
                    hits: try await weeksHits(call)[rule] ?? 0
                )
                return .page(title: rule, view.html)
            },
            .ask("/rules/try", .operator) { call async throws(ConsoleRefusal) in
                .page(title: "Try a sentence", try tried(call).html)
            },
        ]
    }

    /// Page that is shown until the rules of a new bundle are measured.
    private static let measuring = ConsoleAnswer.page(
        title: "Rules",
        "<p role=\"status\">The rules are being measured. Load the page again in some seconds.</p>"
    )

    private func reading(_ call: ConsoleCall) async throws(ConsoleRefusal) -> RuleShelf.Reading? {
        try await shelf.reading(by: call.deadline.reserving(Self.reserve))
    }

    private func weeksHits(_ call: ConsoleCall) async throws(ConsoleRefusal) -> [String: Int] {
        do throws(RecordsError) {
            let since = call.date.addingTimeInterval(-Self.week)
            return try await hits.ruleHits(of: call.tenant, since: since, by: call.deadline)
        } catch {
            throw ConsoleRefusal(error)
        }
    }

    private func tried(_ call: ConsoleCall) throws(ConsoleRefusal) -> RuleTrialView {
        let sentence = String(call.form["sentence"].prefix(Self.longestSentence))
        guard !sentence.isEmpty else { throw .conflict("There is no sentence to try.") }
        let bundle = bundles.loaded.turn
        let turn = Turn(
            tenant: call.tenant,
            patient: PatientID(),
            text: sentence,
            spokenAt: call.date,
            receivedAt: call.date
        )
        let screening = bundle.screen.screen(sentence)
        let decision = bundle.policy.decide(turn, screening, memory: nil, at: call.date)
        return RuleTrialView(
            sentence: sentence,
            screening: screening,
            decision: decision,
            output: bundle.output.screen(sentence, answering: turn, decision, in: .strict(reason: .untested)),
            call: call
        )
    }
}
