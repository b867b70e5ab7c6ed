package import Domain
import Foundation
import Runtime

/// The queue of turns that somebody found wrong, and its export for retraining.
package struct ReviewsPage: ConsolePage {
    package let title: String? = "Reviews"
    package let place = "reviews"
    private static let pageSize = 50
    private static let maximumExport = 1_000
    private static let maximumNoteCharacters = 2_000
    static let list = ConsolePath("reviews")

    private let reviews: any TurnReviews

    /// Creates the page.
    package init(_ reviews: any TurnReviews) {
        self.reviews = reviews
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/reviews", action: "reviews_look") { call async throws(ConsoleError) in try await show(call) },
            .post("/reviews/export", .operator, action: "reviews_export") { call async throws(ConsoleError) in
                try await export(call)
            },
            .post("/turns/{patient}/{message}/review", .operator, action: "turn_review") {
                call async throws(ConsoleError) in
                try await store(call)
            },
            .post("/turns/{patient}/{message}/review-done", .operator, action: "turn_review_done") {
                call async throws(ConsoleError) in
                try await finish(call)
            },
        ]
    }

    private func show(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let isAll = call.query("show") == "all"
        return try await fromRecords { () throws(RecordsError) in
            let page = try await reviews.reviews(
                of: call.tenant,
                onlyOpen: !isAll,
                after: call.query("after").flatMap { PageCursor($0) },
                limit: Self.pageSize,
                by: call.deadline
            )
            return .page(title: "Reviews", ReviewsView(page: page, isAll: isAll, call: call).html)
        }
    }

    private func store(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let patient: PatientID = try call.id("patient")
        let message: MessageID = try call.id("message")
        guard let kind = TurnReview.Kind(rawValue: call.form["kind"]) else { throw .conflict("Choose the fault.") }
        let review = TurnReview(
            patient: patient,
            message: message,
            kind: kind,
            expected: Level(rawValue: call.form["expected"]),
            note: String(call.form["note"].prefix(Self.maximumNoteCharacters))
        )
        let isStored = try await fromRecords { () throws(RecordsError) in
            try await reviews.store(review, tenant: call.tenant, by: call.operator.id, by: call.deadline)
        }
        guard isStored else { throw .notFound }
        let turn = ConsolePath("turns", patient.description, message.description)
        return .redirect(turn, notice: "The turn is in the review queue.")
    }

    private func finish(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let patient: PatientID = try call.id("patient")
        let message: MessageID = try call.id("message")
        let isDone = try await fromRecords { () throws(RecordsError) in
            try await reviews.finishReview(
                of: message,
                patient: patient,
                tenant: call.tenant,
                by: call.deadline
            )
        }
        guard isDone else { throw .notFound }
        return .redirect(Self.list, notice: "The review is done.")
    }

    /// Returns the open reviews as YAML, the newest first; every text is a JSON string, which YAML reads as it is.
    private func export(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        var text = "# Turns that an operator found wrong. They hold patients' words: keep them as such.\nreviews:\n"
        var cursor: PageCursor?
        var count = 0
        repeat {
            try await fromRecords { () throws(RecordsError) in
                let page = try await reviews.reviews(
                    of: call.tenant,
                    onlyOpen: true,
                    after: cursor,
                    limit: Self.pageSize,
                    by: call.deadline
                )
                text += page.items.map(ReviewYAML.text).joined()
                count += page.items.count
                cursor = page.next
            }
        } while cursor != nil && count < Self.maximumExport
        if count == 0 { throw .conflict("There is no open review to export.") }
        return .file(name: "reviews.yaml", mediaType: "application/yaml", Array(text.utf8))
    }
}

/// A review as an item of a YAML list.
enum ReviewYAML {
    static func text(of queued: QueuedReview) -> String {
        let review = queued.review
        let fields: [(String, String?)] = [
            ("message", queued.turn.said), ("reply", queued.turn.answered), ("kind", review.kind.rawValue),
            ("decided", queued.turn.level.rawValue), ("expected", review.expected?.rawValue),
            ("note", review.note.isEmpty ? nil : review.note), ("reviewer", queued.reviewer),
            ("id", queued.turn.id.description),
        ]
        let lines = fields.compactMap { name, value in
            value.map { "\(name): \(JSONValue.string($0).text)" }
        }
        return lines.enumerated().map { "\($0 == 0 ? "  - " : "    ")\($1)\n" }.joined()
    }
}
