import Domain
import HTTPServing
import Runtime

/// The answers of a collection whose items have one form: one of them, and pages of them.
struct Listing: Sendable {
    /// The item's name in the document.
    let name: String
    let item: Schema
    let example: JSONValue
    /// The members that `?fields=` never leaves out.
    let identities: Set<String>

    /// Members that a caller may ask for.
    var fields: Parameter {
        let kept = identities.sorted().map { "`\($0)`" }.joined(separator: " and ")
        return Parameter(
            SparseFields.name,
            in: .query,
            .string(.listOf(item.fields.map(\.name))),
            note: "The members to return, with commas between; all without it. \(kept) always come with them."
        )
    }

    /// The parameters of a list by cursor or by numbered pages.
    var parameters: [Parameter] { [fields] + PageParameters.places }

    /// The parameters of a list that is whole, or by numbered pages.
    var wholeParameters: [Parameter] { [fields, PageParameters.page, PageParameters.pageSize] }

    /// One item, whole.
    func shown(_ status: Int, _ note: String) -> Operation.Success {
        Operation.Success(
            status: status,
            .envelope(item).named("\(name)Answer"),
            example: ["success": true, "data": example],
            note: note
        )
    }

    /// One item, with the members that the caller asks for.
    func sparse(_ note: String) -> Operation.Success {
        Operation.Success(
            .envelope(sparseItem).named("Sparse\(name)Answer"),
            example: ["success": true, "data": example],
            note: note
        )
    }

    /// A page of items.
    func page(_ note: String = "A page.") -> Operation.Success {
        Operation.Success(
            .envelope(PageParameters.schema(of: sparseItem).named("\(name)Page")).named("\(name)PageAnswer"),
            example: ["success": true, "data": ["items": [example], "next_cursor": .null]],
            note: note
        )
    }

    private var sparseItem: Schema {
        let fields = item.fields.map { field in
            Schema.Field(name: field.name, schema: field.schema, isRequired: identities.contains(field.name))
        }
        return .object(fields).named("Sparse\(name)")
    }

    /// Answers with a page by cursor.
    func answer(_ items: [JSONValue], next: PageCursor?, to call: ValidatedRequest) -> Outcome {
        .page(items.map { SparseFields.of($0, keeping: identities, for: call) }, next: next)
    }

    /// Answers with a page by number.
    func answer(_ items: [JSONValue], total: Int, _ page: PageNumber, to call: ValidatedRequest) -> Outcome {
        let items = items.map { SparseFields.of($0, keeping: identities, for: call) }
        return .json(["success": true, "data": PageParameters.members(items, total: total, page)])
    }

    /// Answers with all items of a bounded list, or with the page that the request names by its number.
    ///
    /// - Parameter limit: The number of items where the request names no page.
    func answer(_ all: [JSONValue], limit: Int = .max, to call: ValidatedRequest) throws(APIError) -> Outcome {
        guard let page = try PageParameters.numbered(in: call) else {
            let items = all.prefix(limit).map { SparseFields.of($0, keeping: identities, for: call) }
            return .json(["success": true, "data": ["items": .array(items)]])
        }
        return answer(Array(all.dropFirst(page.offset).prefix(page.size)), total: all.count, page, to: call)
    }

    /// Answers with one item and its version, which `If-Match` names.
    func answer(_ item: JSONValue, version: Int64, to call: ValidatedRequest) -> Outcome {
        let data = SparseFields.of(item, keeping: identities, for: call)
        return Outcome.json(["success": true, "data": data]).tagged(version)
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

    /// The same answer with the version of the record in it.
    func tagged(_ version: Int64) -> Outcome {
        var outcome = self
        outcome.response.headers["ETag"] = EntityTags.tag(version)
        return outcome
    }
}
