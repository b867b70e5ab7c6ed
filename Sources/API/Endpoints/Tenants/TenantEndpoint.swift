import Cryptography
import Domain
import Foundation
import HTTPServing
import Runtime

/// `/api/v1/tenants`: makes and lists the tenants of the installation, for superadmins.
struct TenantEndpoint: Sendable {
    static let name = Schema.string(.notBlank).noted("1 to 200 characters.")
    private static let longestName = 200

    let parts: APIDependencies

    static let listing = Listing(
        name: "Tenant",
        item: ListedTenant.schema,
        example: ListedTenant.example,
        identities: ["tenant_id"]
    )

    var creation: Operation {
        Operation(
            "createTenant",
            "Make a tenant",
            note: "Make the first user or key of the tenant with `X-Tenant-ID`.",
            dialect: .elderCompanion,
            parameters: [.idempotencyKey],
            body: Operation.Body(
                .object(.required("name", Self.name)).named("NewTenant"),
                example: ["name": "Hillside"]
            ),
            successes: [
                Self.listing.shown(201, "The tenant is made."), Self.listing.shown(200, "The tenant was made before."),
            ],
            refusals: [.idempotencyKeyReused],
            isForSuperadmins: true,
            access: .user(make)
        )
    }

    var listing: Operation {
        Operation(
            "listTenants",
            "List the tenants, closed ones too, newest first",
            dialect: .elderCompanion,
            parameters: Self.listing.parameters,
            successes: [Self.listing.page()],
            isForSuperadmins: true,
            access: .user(list)
        )
    }

    private func make(_ call: ValidatedRequest, _ user: UserCaller) async throws(APIError) -> Outcome {
        let name = try Self.name(in: call)
        let id = TenantID(UUID(naming: "tenant \(user.id) \(call.repeatKey ?? "")"))
        do throws(RecordsError) {
            let deadline = call.deadline(parts.limits.read)
            let audit = AuditEntry("tenant_created", by: call)
            let isNew = try await parts.tenants.add(id, name: name, audit: audit, by: deadline)
            guard let tenant = try await parts.tenants.tenant(id, by: deadline) else {
                throw .unavailable(reason: "the tenant is not there")
            }
            guard tenant.name == name else { throw .keyTaken("") }
            return .made(ListedTenant(tenant: tenant).json, isNew: isNew)
        } catch {
            throw APIError(error, patientAt: "")
        }
    }

    private func list(_ call: ValidatedRequest, _ user: UserCaller) async throws(APIError) -> Outcome {
        let numbered = try PageParameters.numbered(in: call)
        let place = PageParameters.place(in: call)
        let deadline = call.deadline(parts.limits.read)
        do throws(RecordsError) {
            if let numbered {
                let found = try await parts.tenants.tenants(numbered, by: deadline)
                return Self.listing.answer(
                    found.items.map { ListedTenant(tenant: $0).json },
                    total: found.total,
                    numbered,
                    to: call
                )
            }
            let page = try await parts.tenants.tenants(after: place.cursor, limit: place.limit, by: deadline)
            return Self.listing.answer(page.items.map { ListedTenant(tenant: $0).json }, next: page.next, to: call)
        } catch {
            throw APIError(error, patientAt: "")
        }
    }

    /// The name in a body.
    static func name(in call: ValidatedRequest) throws(APIError) -> String {
        let name = call.body.text("name") ?? ""
        guard name.unicodeScalars.count <= longestName else {
            throw .invalid(.outOfRule(path: "name", demand: "must have at most \(longestName) characters"))
        }
        return name
    }
}

extension AuditEntry {
    /// An action of a caller on the tenant of the entry, for the audit trail.
    init(_ action: String, by call: ValidatedRequest, _ details: [String: String] = [:]) {
        self.init(actor: call.actor, action: action, details: details)
    }
}
