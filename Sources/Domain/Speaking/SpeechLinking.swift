package import Runtime

/// What became of a link to sound that somebody opens.
package enum OpenedSpeech: Sendable, Equatable {
    /// The sound.
    case clip(SpeechClip)
    /// The sound is being made; it is worth asking again.
    case notReady
    /// The link was not signed here, was changed, or has expired.
    case invalidLink
    /// Nothing was ordered there, or it has been erased.
    case gone
}

/// Gives links to the sound of words, and opens them.
package protocol SpeechLinking: Sendable {
    /// Returns a link to the sound of words that a patient is to hear; nil when there can be none.
    ///
    /// The sound is made while the caller waits, and else afterwards: who opens the link early waits for it.
    ///
    /// - Parameters:
    ///   - voice: The name of the voice; nil for the service's own.
    ///   - deadline: The instant up to which the sound may be waited for; one that has passed waits for nothing.
    func link(
        to text: String,
        in language: String,
        voice: String?,
        for patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async -> String?

    /// Makes sound ahead, when there is nothing more urgent.
    func prepare(_ text: String, in language: String, for patient: PatientID, tenant: TenantID) async

    /// Opens a link and returns the sound, waiting for it until a deadline.
    func open(_ token: String, by deadline: Deadline) async -> OpenedSpeech
}

/// Stands where no speech is configured: telephones speak the words themselves.
package struct NoSpeech: SpeechLinking {
    package init() {}

    package func link(
        to text: String,
        in language: String,
        voice: String?,
        for patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async -> String? { nil }

    package func prepare(_ text: String, in language: String, for patient: PatientID, tenant: TenantID) async {}

    package func open(_ token: String, by deadline: Deadline) async -> OpenedSpeech { .invalidLink }
}
