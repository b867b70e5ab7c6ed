package import Domain
import Foundation
package import Runtime
import Synchronization

/// Sends words to patients' telephones: silently if the app reported itself recently, and otherwise as a visible push
/// that the patient taps.
///
/// iOS ignores a silent push for an app that the person has closed, so such an app gets a visible one.
package struct SpokenPushSender: SpokenPushing {
    /// The longest wait for the sound of a push.
    private static let patience = Duration.milliseconds(700)

    private let devices: any PatientDevices
    private let pushes: any DevicePushing
    private let speech: any SpeechLinking
    private let throttle: PushThrottle
    private let log: Log
    private let time: any TimeSource

    /// Makes the sender.
    ///
    /// - Parameter limit: The greatest number of pushes to one patient in a minute.
    package init(
        _ devices: any PatientDevices,
        _ pushes: any DevicePushing,
        speech: any SpeechLinking = NoSpeech(),
        limit: Int = 6,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.devices = devices
        self.pushes = pushes
        self.speech = speech
        self.log = log
        self.time = time
        throttle = PushThrottle(limit: limit)
    }

    package func speak(_ push: SpokenPush, by deadline: Deadline) async throws(SpokenPushFailure) -> SpokenPushReceipt {
        let known: PatientDevice
        do throws(RecordsError) {
            known = try await devices.device(of: push.patient, tenant: push.tenant, by: deadline)
        } catch {
            throw .records(error)
        }
        guard let device = known.device else { throw .noDevice }
        if let wait = throttle.admit(push.patient, at: time.now) { throw .throttled(retryAfter: wait) }
        let isSilent = known.app?.canBeWoken(at: time.date) ?? false
        let audio = await audio(of: push, in: known.language, by: deadline)
        do throws(SendingFailure) {
            let name = try await pushes.send(
                Self.message(push, audio, to: device, isSilent, at: time.date),
                by: deadline
            )
            log.info("speech_pushed", "request_id" ~ push.request, "is_silent" ~ isSilent)
            return SpokenPushReceipt(messageID: name, isSilent: isSilent, audioURL: audio)
        } catch {
            log.warning("speech_not_pushed", "request_id" ~ push.request, "reason" ~ error.reason)
            guard case .invalidAddress = error else { throw .notTaken(reason: error.name) }
            try? await devices.forget(device, of: push.patient, tenant: push.tenant, by: deadline)
            throw .noDevice
        }
    }

    /// Returns a link to the sound of a push; waits briefly for the sound, so that the telephone finds it ready.
    private func audio(of push: SpokenPush, in language: String, by deadline: Deadline) async -> String? {
        guard push.hasAudio else { return nil }
        return await speech.link(
            to: push.text.withoutBidiControls,
            in: language,
            voice: push.voice,
            for: push.patient,
            tenant: push.tenant,
            by: deadline.capped(to: Self.patience, from: time.now)
        )
    }

    private static func message(
        _ push: SpokenPush,
        _ audio: String?,
        to device: ContactDetails.Device,
        _ isSilent: Bool,
        at date: Date
    ) -> DevicePush {
        let text = push.text.withoutBidiControls
        return DevicePush(
            to: device,
            key: push.request,
            shown: isSilent ? nil : DevicePush.Shown(title: "Hearth", body: text),
            data: [
                "action": "speak_tts", "text": text, "voice": push.voice, "audio_url": audio ?? "",
                "request_id": push.request, "timestamp": String(Int(date.timeIntervalSince1970)),
            ],
            timeToLive: .seconds(600)
        )
    }
}

/// Limits the pushes to each patient within a minute; forgets patients without recent pushes.
final class PushThrottle: Sendable {
    private static let window = Duration.seconds(60)
    private static let patients = 10_000

    private let limit: Int
    private let sent = Mutex<[PatientID: [Instant]]>([:])

    init(limit: Int) { self.limit = limit }

    /// Counts a push; returns the time to wait when there were too many, otherwise nil.
    func admit(_ patient: PatientID, at now: Instant) -> Duration? {
        sent.withLock { sent in
            let recent = (sent[patient] ?? []).filter { $0 + Self.window > now }
            guard recent.count < limit else {
                sent[patient] = recent
                return recent.first.map { ($0 + Self.window).since(now) }
            }
            if sent[patient] == nil, sent.count >= Self.patients {
                sent = sent.filter { $0.value.contains { $0 + Self.window > now } }
                let oldest = sent.min { ($0.value.last ?? now) < ($1.value.last ?? now) }?.key
                if sent.count >= Self.patients, let oldest { sent[oldest] = nil }
            }
            sent[patient] = recent + [now]
            return nil
        }
    }
}
