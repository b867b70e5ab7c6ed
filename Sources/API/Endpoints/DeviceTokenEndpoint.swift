import Domain
import HTTPServing
import Runtime

/// `POST /api/v1/mobile/device-token`: registers the telephone to which a patient's reminders are pushed.
struct DeviceTokenEndpoint: Sendable {
    let parts: APIDependencies

    var operation: Operation {
        Operation(
            "registerDevice",
            "Register a patient's telephone",
            note: PushRegistration.note,
            dialect: .elderCompanion,
            body: Operation.Body(
                .object(
                    .required("patient_id", .uuid),
                    .required("device_token", .string(.visibleASCII(1...4096))),
                    .required("platform", .string(.oneOf(["ios", "android"]))),
                    PushRegistration.version
                ).named("DeviceToken"),
                example: ["patient_id": Examples.patient, "device_token": "fcm-token", "platform": "ios"]
            ),
            successes: [
                Operation.Success(
                    .object(.required("success", .boolean)).named("DeviceRegistered"),
                    example: ["success": true],
                    note: "The token is registered."
                )
            ],
            refusals: [.patientNotFound],
            access: .key(scope: .turns, store)
        )
    }

    private func store(_ call: ValidatedRequest, _ tenant: TenantID) async throws(APIError) -> Outcome {
        let body = call.body
        guard let patient = body.text("patient_id").flatMap({ PatientID($0) }), let token = body.text("device_token"),
            let platform = body.text("platform").flatMap(ContactDetails.Device.Platform.init)
        else { throw .failed }
        do throws(RecordsError) {
            let device = ContactDetails.Device(token: token, platform: platform)
            try await PushRegistration(parts).store(device, of: patient, tenant: tenant, call)
            return .json(["success": true])
        } catch {
            throw APIError(error, patientAt: "patient_id")
        }
    }
}
