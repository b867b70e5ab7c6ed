import Cryptography
package import Domain
import Foundation
package import Runtime
import Synchronization

/// Gives links to the sound of words: kept in memory, in the records for all replicas, or made by an engine.
///
/// One sound is made once at a time in a process. What another replica makes at the same moment is made twice and kept
/// once.
package final class SpeechLibrary: SpeechLinking {
    /// Limits and defaults.
    package struct Settings: Sendable, Equatable {
        /// The voice where the caller names none.
        package var voice: String
        /// The speed in percent.
        package var speed: Int
        /// The most bytes of sound in this process.
        package var memoryBytes: Int
        /// The most bytes of words and sounds in the records.
        package var recordBytes: Int
        /// The most sounds that are looked for or made at once.
        package var concurrency: Int
        /// The same for sounds that are made ahead, so that they hold up no other.
        package var aheadConcurrency: Int
        /// Time limit for looking for a sound and making it.
        package var makingTime: Duration

        package init(
            voice: String = Speech.voices[0],
            speed: Int = 100,
            memoryBytes: Int = 32 << 20,
            recordBytes: Int = 256 << 20,
            concurrency: Int = 256,
            aheadConcurrency: Int = 16,
            makingTime: Duration = .seconds(15)
        ) {
            self.voice = voice
            self.speed = speed
            self.memoryBytes = memoryBytes
            self.recordBytes = recordBytes
            self.concurrency = concurrency
            self.aheadConcurrency = aheadConcurrency
            self.makingTime = makingTime
        }
    }

    private struct State {
        var memory: SpeechMemory
        var flights: [SpeechAddress: [OneShot<SpeechResult>]] = [:]
        var storedSinceTrim = 0
        var failure: String?
    }

    private static let recordTime = Duration.seconds(3)

    private let engine: any SpeechEngine
    private let records: any SpeechRecords
    private let links: SpeechLinks
    private let settings: Settings
    private let figures: SpeechMetrics
    private let log: Log
    private let time: any TimeSource
    private let state: Mutex<State>

    /// Makes a library; nothing is read or made before somebody asks.
    package init(
        _ engine: any SpeechEngine,
        _ records: any SpeechRecords,
        links: SpeechLinks,
        settings: Settings = Settings(),
        figures: SpeechMetrics,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.engine = engine
        self.records = records
        self.links = links
        self.settings = settings
        self.figures = figures
        self.log = log
        self.time = time
        state = Mutex(State(memory: SpeechMemory(bytes: settings.memoryBytes)))
    }

    /// Whether sounds can be made, as the last attempt showed.
    package var readiness: ReadinessPart {
        guard let failure = state.withLock({ $0.failure }) else { return ReadinessPart("speech", detail: engine.name) }
        return ReadinessPart("speech", .degraded, detail: "No sound is made: \(failure).")
    }

    package func link(
        to text: String,
        in language: String,
        voice: String?,
        for patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async -> String? {
        let speech = speech(text, language, voice)
        let address = address(of: speech, tenant)
        let link = links.address(of: address, at: time.date)
        let order = SpeechOrder.from(speech, patient)
        if let (_, isNoted) = kept(at: address, patient) {
            figures.lookups.add(1, "memory")
            if !isNoted { _ = await join(address, order, atMost: settings.concurrency, by: deadline) }
            return link
        }
        let cannotMake = state.withLock { $0.failure } != nil
        return switch await join(address, order, atMost: settings.concurrency, by: deadline) {
        case .clip: link
        case .failed(.expired): cannotMake ? nil : link
        case .failed, .unknown: nil
        }
    }

    package func prepare(_ text: String, in language: String, for patient: PatientID, tenant: TenantID) async {
        let speech = speech(text, language, nil)
        let address = address(of: speech, tenant)
        if let (_, isNoted) = kept(at: address, patient), isNoted { return }
        let past = Deadline(time.now)
        _ = await join(address, .from(speech, patient), atMost: settings.aheadConcurrency, by: past)
    }

    package func open(_ token: String, by deadline: Deadline) async -> OpenedSpeech {
        guard let address = links.clip(of: token, at: time.date) else { return .invalidLink }
        if let clip = state.withLock({ $0.memory.clip(at: address) }) {
            figures.lookups.add(1, "memory")
            return .clip(clip)
        }
        return switch await join(address, .known, atMost: settings.concurrency, by: deadline) {
        case .clip(let clip): .clip(clip)
        case .failed: .notReady
        case .unknown: .gone
        }
    }

    private func speech(_ text: String, _ language: String, _ voice: String?) -> Speech {
        Speech(text, in: language, voice: voice ?? settings.voice, speed: settings.speed)
    }

    /// The digest of what decides how words sound, each part after its length.
    private func address(of speech: Speech, _ tenant: TenantID) -> SpeechAddress {
        let parts = [engine.name, speech.language, speech.voice, String(speech.speed), speech.text]
        let whole = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return SpeechAddress(tenant: tenant, digest: Digest.sha256(whole).bytes)
    }

    private func kept(at address: SpeechAddress, _ patient: PatientID) -> (SpeechClip, isNoted: Bool)? {
        state.withLock { state in
            let isNoted = state.memory.isNoted(patient, at: address)
            return state.memory.clip(at: address).map { ($0, isNoted) }
        }
    }

    /// Waits for a sound that is being looked for or made, and begins that when nobody has.
    private func join(
        _ address: SpeechAddress,
        _ order: SpeechOrder,
        atMost most: Int,
        by deadline: Deadline
    ) async -> SpeechResult {
        let waiter = OneShot<SpeechResult>()
        let begins: Bool? = state.withLock { state in
            // Another patient's order is noted in the records by itself.
            if state.flights[address] != nil, order.patient == nil {
                state.flights[address]?.append(waiter)
                return false
            }
            guard state.flights.count < most else { return nil }
            state.flights[address, default: []].append(waiter)
            return true
        }
        guard let begins else { return .failed(.busy) }
        if begins {
            Task { [self] in
                let result = await find(address, order, by: Deadline(after: settings.makingTime))
                let waiters = state.withLock { $0.flights.removeValue(forKey: address) ?? [] }
                for waiter in waiters { waiter.settle(result) }
            }
        }
        guard !deadline.hasPassed(at: time.now) else { return .failed(.expired) }
        let alarm = Alarm(at: Deadline(after: deadline.remaining(at: time.now))) { waiter.settle(.failed(.expired)) }
        defer { alarm.cancel() }
        return await waiter.value(ifCancelled: .failed(.cancelled))
    }

    /// Looks for a sound in the records, and makes it where there is none.
    private func find(_ address: SpeechAddress, _ order: SpeechOrder, by deadline: Deadline) async -> SpeechResult {
        let wanted: Speech
        do throws(RecordsError) {
            let reading = deadline.capped(to: Self.recordTime)
            switch order {
            case .from(let speech, let patient):
                wanted = speech
                if let clip = try await records.order(speech, at: address, for: patient, at: time.date, by: reading) {
                    return found(clip, address, order)
                }
            case .known:
                guard let stored = try await records.speech(at: address, at: time.date, by: reading) else {
                    return .unknown
                }
                wanted = stored.speech
                if let clip = stored.clip { return found(clip, address, order) }
            }
        } catch {
            log.warning("speech_not_ordered", "reason" ~ "\(error)")
            return .failed(.unavailable(reason: "the records are unavailable"))
        }
        return await make(wanted, address, order, by: deadline)
    }

    private func found(_ clip: SpeechClip, _ address: SpeechAddress, _ order: SpeechOrder) -> SpeechResult {
        figures.lookups.add(1, "records")
        state.withLock { $0.memory.keep(clip, at: address, for: order.patients) }
        return .clip(clip)
    }

    private func make(
        _ speech: Speech,
        _ address: SpeechAddress,
        _ order: SpeechOrder,
        by deadline: Deadline
    ) async -> SpeechResult {
        if let clip = state.withLock({ $0.memory.clip(at: address) }) { return found(clip, address, order) }
        figures.lookups.add(1, "nowhere")
        let began = Instant.now
        let clip: SpeechClip
        do throws(SpeechFailure) {
            clip = try await engine.speak(speech, by: deadline)
        } catch {
            figures.made.add(1, error.name)
            log.warning("speech_not_made", "reason" ~ "\(error)")
            if case .unavailable(let reason) = error { state.withLock { $0.failure = reason } }
            return .failed(error)
        }
        figures.made.add(1, "made")
        figures.duration.record(Instant.now.since(began))
        let mustTrim = state.withLock { state in
            state.failure = nil
            state.memory.keep(clip, at: address, for: order.patients)
            state.storedSinceTrim += clip.bytes.count
            guard state.storedSinceTrim > settings.recordBytes / 20 else { return false }
            state.storedSinceTrim = 0
            return true
        }
        await store(clip, address, mustTrim)
        return .clip(clip)
    }

    private func store(_ clip: SpeechClip, _ address: SpeechAddress, _ mustTrim: Bool) async {
        do throws(RecordsError) {
            try await records.store(clip, at: address, by: Deadline(after: Self.recordTime))
            guard mustTrim else { return }
            let removed = try await records.trimSpeech(to: settings.recordBytes, by: Deadline(after: .seconds(30)))
            if removed > 0 { log.info("speech_trimmed", "removed" ~ removed) }
        } catch {
            log.warning("speech_not_stored", "reason" ~ "\(error)")
        }
    }
}

/// Removes the sounds that an erased patient was to hear.
extension SpeechLibrary: PatientCopies {
    package var place: String { "speech" }

    package func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws {
        state.withLock { $0.memory.forget(patient, of: tenant) }
    }
}

/// What is looked for: the words of an order, or what was ordered before.
private enum SpeechOrder: Sendable {
    case from(Speech, PatientID)
    case known

    var patient: PatientID? {
        if case .from(_, let patient) = self { patient } else { nil }
    }

    var patients: Set<PatientID> { patient.map { [$0] } ?? [] }
}

/// What became of looking for a sound.
private enum SpeechResult: Sendable {
    case clip(SpeechClip)
    case failed(SpeechFailure)
    case unknown
}
