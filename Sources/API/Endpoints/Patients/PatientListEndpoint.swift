import Domain
import Runtime

/// `GET /api/v1/patients`: the tenant's patients, by cursor or by numbered pages.
struct PatientListEndpoint: Sendable {
    private static let query = Parameter(
        "query",
        in: .query,
        .string(.notBlank),
        note: "A part of the name or of the external name, in any case."
    )
    private static let status = Parameter(
        "status",
        in: .query,
        .string(.oneOf(["open", "closed"])),
        note: "Only open or only closed patients; all without it."
    )

    let parts: APIDependencies

    var operation: Operation {
        Operation(
            "listPatients",
            "List and search the patients, newest first",
            note: "By cursor, at the same cost for every page; or by `page` with the number of all, for tables in an "
                + "office.",
            dialect: .elderCompanion,
            parameters: [
                Self.query, Self.status, ListedPatient.fields,
            ] + PageParameters.places,
            successes: [
                Operation.Success(
                    .envelope(PageParameters.schema(of: ListedPatient.schema).named("PatientPage")).named(
                        "PatientListAnswer"
                    ),
                    example: ["success": true, "data": ["items": [ListedPatient.example], "next_cursor": .null]],
                    note: "A page."
                )
            ],
            access: .key(scope: .patientsRead, list)
        )
    }

    private func list(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        let search = PatientSearch(
            text: call.values[Self.query.name],
            isClosed: call.values[Self.status.name].map { $0 == "closed" }
        )
        let numbered = try PageParameters.numbered(in: call)
        let place = PageParameters.place(in: call)
        let deadline = call.deadline(parts.limits.read)
        do throws(RecordsError) {
            if let numbered {
                let found = try await parts.directory.entries(
                    of: tenant,
                    matching: search,
                    page: numbered.page,
                    size: numbered.size,
                    by: deadline
                )
                let items = found.items.map { ListedPatient(entry: $0).json(for: call) }
                return .json(["success": true, "data": PageParameters.members(items, total: found.total, numbered)])
            }
            let page = try await parts.directory.entries(
                of: tenant,
                matching: search,
                after: place.cursor,
                limit: place.limit,
                by: deadline
            )
            return .page(page.items.map { ListedPatient(entry: $0).json(for: call) }, next: page.next)
        } catch {
            throw APIError(error, patientAt: "")
        }
    }
}
