import Cryptography
import Domain
import Foundation
import HTTPServing
import Runtime

/// `/api/v1/users`: makes and lists the tenant's users.
struct UserEndpoint: Sendable {
    let parts: APIDependencies

    static let listing = Listing(
        name: "User",
        item: ListedUser.schema,
        example: ListedUser.example,
        identities: ["id"]
    )

    var creation: Operation {
        Operation(
            "createUser",
            "Make a user",
            dialect: .stratum,
            parameters: [.idempotencyKey],
            body: Operation.Body(
                UserRequest.creation,
                example: [
                    "email": "ruth@example.org", "full_name": "Ruth Cole", "role": "manager",
                    "password": "correct horse battery staple",
                ]
            ),
            successes: [
                Self.listing.shown(201, "The user is made."), Self.listing.shown(200, "The user was made before."),
            ],
            refusals: [.emailTaken, .patientNotFound, .roleForbidden, .overloaded, .clientClosed],
            access: .key(scope: .admin, make)
        )
    }

    var listing: Operation {
        Operation(
            "listUsers",
            "List the users, closed ones too, newest first",
            dialect: .stratum,
            parameters: Self.listing.parameters,
            successes: [Self.listing.page()],
            access: .key(scope: .admin, list)
        )
    }

    private func make(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        let user = try user(call, tenant)
        var hash: String?
        let deadline = call.deadline(parts.limits.signIn)
        if let password = try UserRequest.password(call.body, email: user.email, name: user.name) {
            hash = try await parts.signIn.passwords.hash(of: password, by: deadline.reserving(parts.limits.read))
        }
        do throws(RecordsError) {
            let audit = AuditEntry("user_created", user.id, by: call, ["role": user.role.rawValue])
            if try await parts.users.add(user, passwordHash: hash, audit: audit, by: deadline) {
                return .made(ListedUser(user: user).json, isNew: true)
            }
            let known = try await parts.users.user(user.id, of: tenant, by: deadline)
            guard let known, known.email == user.email, known.role == user.role, known.patient == user.patient else {
                throw .keyTaken("")
            }
            return .made(ListedUser(user: known).json, isNew: false)
        } catch {
            if case .keyTaken = error { throw .emailTaken }
            throw APIError(error, patientAt: "patient_id")
        }
    }

    private func user(_ call: ValidatedRequest, _ tenant: TenantID) throws(APIError) -> User {
        guard let role = try UserRequest.role(call), let name = try UserRequest.name(call.body) else { throw .failed }
        let patient = call.body.text("patient_id").flatMap { PatientID($0) }
        guard (patient != nil) == (role == .senior) else {
            let demand = role == .senior ? "is required for a senior" : "is for a senior alone"
            throw .invalid(.outOfRule(path: "patient_id", demand: demand))
        }
        return User(
            id: UserID(UUID(naming: "user \(tenant) \(call.repeatKey ?? "")")),
            tenant: tenant,
            email: User.address(call.body.text("email") ?? ""),
            name: name,
            role: role,
            patient: patient,
            phone: call.body.text("phone"),
            createdAt: call.date
        )
    }

    private func list(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        let numbered = try PageParameters.numbered(in: call)
        let place = PageParameters.place(in: call)
        let deadline = call.deadline(parts.limits.read)
        do throws(RecordsError) {
            if let numbered {
                let found = try await parts.users.users(of: tenant, numbered, by: deadline)
                return Self.listing.answer(
                    found.items.map { ListedUser(user: $0).json },
                    total: found.total,
                    numbered,
                    to: call
                )
            }
            let page = try await parts.users.users(
                of: tenant,
                after: place.cursor,
                limit: place.limit,
                by: deadline
            )
            return Self.listing.answer(page.items.map { ListedUser(user: $0).json }, next: page.next, to: call)
        } catch {
            throw APIError(error, patientAt: "")
        }
    }
}

extension AuditEntry {
    /// An action of a caller on a user, for the audit trail.
    init(_ action: String, _ user: UserID, by call: ValidatedRequest, _ details: [String: String] = [:]) {
        let details = details.merging(["user": user.description]) { own, _ in own }
        self.init(actor: call.actor, action: action, details: details)
    }
}
