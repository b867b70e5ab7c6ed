import Domain
import Foundation
import Runtime
import Synchronization

/// Links that name their words, and what was to be made ahead.
final class LinkedSpeech: SpeechLinking {
    let prepared = Mutex<[String]>([])

    func link(
        to text: String,
        in language: String,
        voice: String?,
        for patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async -> String? {
        let words = text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        return "http://h/\(language.prefix(2))/\(voice ?? "own")/\(words)"
    }

    func prepare(_ text: String, in language: String, for patient: PatientID, tenant: TenantID) async {
        prepared.withLock { $0.append(text) }
    }

    func open(_ token: String, by deadline: Deadline) async -> OpenedSpeech { .gone }
}
