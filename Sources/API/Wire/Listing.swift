import Domain
import HTTPServing
import Runtime

/// The answers of a collection whose items have one form: one of them, and a page of them by cursor.
struct Listing: Sendable {
    /// The item's name in the document.
    let name: String
    let item: Schema
    let example: JSONValue

    /// One item.
    func shown(_ status: Int, _ note: String) -> Operation.Success {
        Operation.Success(
            status: status,
            .envelope(item).named("\(name)Answer"),
            example: ["success": true, "data": example],
            note: note
        )
    }

    /// A page of items.
    var page: Operation.Success {
        let page = Schema.object(
            .required("items", .array(item)),
            .required("next_cursor", .string(.cursor).orNull.noted("Where the next page begins; null on the last."))
        )
        return Operation.Success(
            .envelope(page.named("\(name)Page")).named("\(name)PageAnswer"),
            example: ["success": true, "data": ["items": [example], "next_cursor": .null]],
            note: "A page."
        )
    }
}

extension Outcome {
    /// A page of items, and where the next one begins.
    static func page(_ items: [JSONValue], next: PageCursor?) -> Outcome {
        let next = JSONValue.optional(next?.description)
        return .json(["success": true, "data": ["items": .array(items), "next_cursor": next]])
    }

    /// Something that a request made, or that it made when it was sent before.
    static func made(_ data: JSONValue, isNew: Bool) -> Outcome {
        let outcome = Outcome.json(["success": true, "data": data], status: isNew ? 201 : 200)
        return isNew ? outcome : outcome.asReplay
    }

    /// The same answer, marked as one to a repeated request.
    var asReplay: Outcome {
        var outcome = self
        outcome.response.headers["Idempotent-Replayed"] = "true"
        return outcome
    }
}
