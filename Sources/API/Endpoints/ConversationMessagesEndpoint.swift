import Domain
import Runtime

/// `GET /api/v1/conversations/{id}/messages`: the messages of one conversation with their replies.
struct ConversationMessagesEndpoint: Sendable {
    private static let conversation = Parameter(
        "id",
        in: .path,
        .uuid,
        isRequired: true,
        example: Examples.conversation,
        note: "Identity of the conversation."
    )
    private static let patient = Parameter(
        "patient_id",
        in: .query,
        .uuid,
        isRequired: true,
        example: Examples.patient,
        note: "Patient of the conversation."
    )

    let parts: APIDependencies

    private static let page = Schema.object(
        .required("items", .array(ConversationListEndpoint.message)),
        .required("next_cursor", .string(.cursor).orNull.noted("Start of the next page; null on the last."))
    ).named("MessagePage")

    var operation: Operation {
        Operation(
            "listMessages",
            "List the messages of a conversation, newest first",
            dialect: .elderCompanion,
            parameters: [Self.conversation, Self.patient, PageParameters.limit, PageParameters.cursor],
            successes: [
                Operation.Success(
                    .envelope(Self.page).named("MessageListAnswer"),
                    example: ["success": true, "data": ["items": [], "next_cursor": .null]],
                    note: "A page."
                )
            ],
            refusals: [.patientNotFound, .conversationNotFound],
            access: .key(scope: .conversationsRead, list)
        )
    }

    private func list(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        guard let conversation = call.values[Self.conversation.name].flatMap({ ConversationID($0) }),
            let patient = call.values[Self.patient.name].flatMap({ PatientID($0) })
        else { throw .failed }
        let place = PageParameters.place(in: call)
        let page: Page<MessageRecord>
        do throws(RecordsError) {
            page = try await parts.reads.messages(
                of: patient,
                in: conversation,
                tenant: tenant,
                after: place.cursor,
                limit: place.limit,
                by: call.deadline(parts.limits.read)
            )
        } catch {
            throw APIError(error, patientAt: "patient_id")
        }
        guard place.cursor != nil || !page.items.isEmpty else { throw .unknownConversation(path: "id") }
        return .page(page.items.map(ConversationListEndpoint.json), next: page.next)
    }
}
