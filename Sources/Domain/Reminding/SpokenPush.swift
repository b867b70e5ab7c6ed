package import Runtime

/// Words that a patient's telephone is to speak.
package struct SpokenPush: Sendable, Equatable {
    /// The patient.
    package let patient: PatientID
    /// The patient's tenant.
    package let tenant: TenantID
    /// The words.
    package let text: String
    /// The voice, by its name at the provider of speech.
    package let voice: String
    /// The name of the request; a telephone speaks a repeated one once.
    package let request: String
    /// True if the push carries a link to the sound of the words; else the telephone makes it.
    package let hasAudio: Bool

    package init(
        to patient: PatientID,
        tenant: TenantID,
        text: String,
        voice: String,
        request: String,
        hasAudio: Bool = true
    ) {
        self.patient = patient
        self.tenant = tenant
        self.text = text
        self.voice = voice
        self.request = request
        self.hasAudio = hasAudio
    }
}

/// What the provider said of a push.
package struct SpokenPushReceipt: Sendable, Equatable {
    /// The provider's name of it.
    package let messageID: String
    /// True if it shows nothing, because the app can wake by itself.
    package let isSilent: Bool
    /// Where the sound of the words is; nil where there is none.
    package let audioURL: String?

    package init(messageID: String, isSilent: Bool, audioURL: String? = nil) {
        self.messageID = messageID
        self.audioURL = audioURL
        self.isSilent = isSilent
    }
}

/// A reason why words were not pushed.
package enum SpokenPushFailure: Error, Equatable {
    /// The patient has no telephone, or its token is known no more.
    case noDevice
    /// The patient was sent too many in a short time.
    case throttled(retryAfter: Duration)
    /// The provider has not taken it.
    case notTaken(reason: String)
    /// The record failed.
    case records(RecordsError)
}

/// Sends words to patients' telephones.
package protocol SpokenPushing: Sendable {
    /// Sends words; returns what the provider said.
    func speak(_ push: SpokenPush, by deadline: Deadline) async throws(SpokenPushFailure) -> SpokenPushReceipt
}
