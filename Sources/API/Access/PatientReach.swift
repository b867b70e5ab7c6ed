package import Domain
import HTTPServing
import Runtime

/// Performs a request of a caller who reaches some patients only, or of a user on the user's own account.
enum PatientReach {
    /// Runs the body so that every statement of the records is restricted to the user's account.
    static func perform(
        for user: UserID,
        _ body: () async throws(APIError) -> Outcome
    ) async throws(APIError) -> Outcome {
        let result: Result<Outcome, APIError> = await RowReach.$user.withValue(user) {
            do throws(APIError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs the body so that every statement of the records is restricted to the patients, also while a body streams.
    static func perform(
        _ patients: [PatientID],
        _ body: () async throws(APIError) -> Outcome
    ) async throws(APIError) -> Outcome {
        let result: Result<Outcome, APIError> = await RowReach.$patients.withValue(patients) {
            do throws(APIError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        var outcome = try result.get()
        if case .stream(let write) = outcome.response.body {
            outcome.response.body = .stream { writer in
                try await RowReach.$patients.withValue(patients) { try await write(writer) }
            }
        }
        return outcome
    }
}

extension ValidatedRequest {
    /// The members and parameters that name patients, in every dialect.
    private static let places = ["patient_id", "user_id", "user", "X-Patient-Id"]
    private static let list = "user_ids"
    /// The part of a path that names a patient.
    private static let patients = "/api/v1/patients/"

    /// Refuses a request that names a patient whom the caller does not reach, as if there were none.
    ///
    /// The records refuse it too; this check also holds while they are away.
    func check(reaches patients: Set<PatientID>) throws(APIError) {
        for place in Self.places {
            let named = [body.text(place), values[place]].compactMap { $0 }
            for text in named where PatientID(text).map({ !patients.contains($0) }) ?? true {
                throw .unknownPatient(path: place)
            }
        }
        if request.path.hasPrefix(Self.patients), let id = values["id"].flatMap({ PatientID($0) }),
            !patients.contains(id)
        {
            throw .unknownPatient(path: "id")
        }
        for text in body[Self.list]?.array ?? [] {
            guard let id = text.string.flatMap({ PatientID($0) }), patients.contains(id) else {
                throw .unknownPatient(path: Self.list)
            }
        }
    }
}

/// A user who is signed in and sends a request.
package struct UserCaller: Sendable {
    /// The user.
    package let id: UserID
    /// The user's role.
    package let role: UserRole
    /// The session of the token.
    package let session: UserSessionID
    /// The user's own tenant.
    package let tenant: TenantID

    init?(_ caller: Caller) {
        guard case .user(let id, let role, let session) = caller.identity else { return nil }
        self.id = id
        self.role = role
        self.session = session
        tenant = caller.tenant
    }
}
