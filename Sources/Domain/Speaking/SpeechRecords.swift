package import Foundation
package import Runtime

/// Where the sound of some words is kept: a tenant's, by a digest of the words, voice, speed and engine.
package struct SpeechAddress: Sendable, Hashable {
    /// The tenant.
    package let tenant: TenantID
    /// The digest: 32 bytes.
    package let digest: [UInt8]

    package init(tenant: TenantID, digest: [UInt8]) {
        self.tenant = tenant
        self.digest = digest
    }
}

/// Words that were ordered, with their sound when it has been made.
package struct StoredSpeech: Sendable, Equatable {
    /// The words.
    package let speech: Speech
    /// The sound; nil while nobody has made it.
    package let clip: SpeechClip?

    package init(_ speech: Speech, _ clip: SpeechClip?) {
        self.speech = speech
        self.clip = clip
    }
}

/// Keeps the sound of words for all replicas.
///
/// Words are kept before their sound, so that any replica can make what another has promised. Each patient who is to
/// hear them is noted; with the last of them the words and the sound are erased.
package protocol SpeechRecords: Sendable {
    /// Keeps words that a patient is to hear; returns their sound when it has been made already.
    func order(
        _ speech: Speech,
        at address: SpeechAddress,
        for patient: PatientID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> SpeechClip?

    /// Returns what was ordered; nil when nothing was, or when it has been erased or removed.
    func speech(
        at address: SpeechAddress,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> StoredSpeech?

    /// Keeps the sound of words that were ordered and are still there.
    func store(_ clip: SpeechClip, at address: SpeechAddress, by deadline: Deadline) async throws(RecordsError)

    /// Removes what was not used for longest until all tenants' words and sounds fit; returns how many were removed.
    func trimSpeech(to bytes: Int, by deadline: Deadline) async throws(RecordsError) -> Int
}
