package import Runtime

/// Words for a patient's telephone to speak.
package struct SpokenPush: Sendable, Equatable {
    package let patient: PatientID
    package let tenant: TenantID
    /// The words.
    package let text: String
    /// The voice, by its name at the provider of speech.
    package let voice: String
    /// The identity of the request; a telephone speaks a repeated request once.
    package let request: String
    /// True if the push carries a link to the sound of the words; otherwise the telephone makes the sound.
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

/// A provider's receipt of a push.
package struct SpokenPushReceipt: Sendable, Equatable {
    /// The provider's identity of the push.
    package let messageID: String
    /// True if it shows nothing, because the app can start in the background.
    package let isSilent: Bool
    /// The address of the sound; nil without one.
    package let audioURL: String?

    package init(messageID: String, isSilent: Bool, audioURL: String? = nil) {
        self.messageID = messageID
        self.audioURL = audioURL
        self.isSilent = isSilent
    }
}

/// A reason why words were not pushed.
package enum SpokenPushFailure: Error, Equatable {
    /// The patient has no telephone, or the provider has rejected its token.
    case noDevice
    /// The patient was sent too many pushes in a short time.
    case throttled(retryAfter: Duration)
    /// The provider has not accepted it.
    case notTaken(reason: String)
    /// The record failed.
    case records(RecordsError)
}

/// Sends words to patients' telephones.
package protocol SpokenPushing: Sendable {
    /// Sends words; returns the provider's receipt.
    func speak(_ push: SpokenPush, by deadline: Deadline) async throws(SpokenPushFailure) -> SpokenPushReceipt
}
