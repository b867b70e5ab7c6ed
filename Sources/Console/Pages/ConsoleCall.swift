package import Conversation
import Cryptography
package import Foundation
package import HTTPServing
package import Runtime

/// A request of an operator who is signed in and may make it.
package struct ConsoleCall: Sendable {
    /// How long a line of the audit trail may take at least.
    private static let notingTime = Duration.seconds(2)

    /// The request.
    package let request: HTTPRequest
    /// Who asks.
    package let `operator`: Operator
    /// The fields of its form; none when it has no form.
    package let form: FormBody
    /// What may be shown of patients' words.
    package let masking: Masking
    /// When it arrived, by the wall clock.
    package let date: Date
    /// By when the records must have answered.
    package let deadline: Deadline
    /// What the forms of the answer carry to show that they come from it.
    let formToken: String
    /// Adds to the audit trail.
    private let records: any OperatorRecords
    private let holds: @Sendable () async -> Bool

    init(
        _ request: HTTPRequest,
        _ session: OperatorSession,
        form: FormBody,
        formToken: String,
        date: Date,
        deadline: Deadline,
        records: any OperatorRecords,
        holds: @escaping @Sendable () async -> Bool
    ) {
        self.request = request
        self.operator = session.operator
        self.form = form
        self.formToken = formToken
        self.date = date
        self.deadline = deadline
        self.records = records
        self.holds = holds
        masking = Masking(for: session.operator.role)
    }

    /// The tenant whose data is seen.
    package var tenant: TenantID { self.operator.tenant }

    /// Whether the operator has at least a role, so that a page shows no control that would be refused.
    package func may(_ role: Operator.Role) -> Bool { self.operator.role >= role }

    /// A path parameter as an identity.
    ///
    /// - Throws: ``ConsoleRefusal/notFound``, as for an identity that there is none of.
    package func id<Kind>(_ name: String, _: ID<Kind>.Type = ID<Kind>.self) throws(ConsoleRefusal) -> ID<Kind> {
        guard let id = ID<Kind>(request.parameters[name] ?? "") else { throw .notFound }
        return id
    }

    /// A form that posts to the console.
    ///
    /// - Parameter body: Its fields and buttons.
    package func form(to path: ConsolePath, _ body: HTML) -> HTML {
        """
        <form method="post" action="\(path)"><input type="hidden" name="\(FormToken.field)" value="\(formToken)">\
        \(body)</form>
        """
    }

    /// Whether the operator is still signed in, for what goes on for longer than a request; not a use of the session.
    package func isStillSignedIn() async -> Bool { await holds() }

    /// How the audit trail names the operator.
    package var actor: String { "operator \(self.operator.name) \(self.operator.id)" }

    /// Adds a detail of what was done to the audit trail, beside the use of the route, which is there already.
    package func note(
        _ action: String,
        patient: PatientID? = nil,
        _ details: [String: String] = [:]
    ) async throws(ConsoleRefusal) {
        let entry = AuditEntry(actor: actor, action: action, patient: patient, details: details)
        do throws(RecordsError) {
            // What was done may have taken the request's own time, and is noted all the same.
            let time = max(deadline, Deadline(after: Self.notingTime))
            try await records.audit(entry, tenant: tenant, by: time)
        } catch {
            throw ConsoleRefusal(error)
        }
    }
}
