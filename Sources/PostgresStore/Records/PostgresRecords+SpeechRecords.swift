package import Domain
package import Foundation
package import Runtime

/// Stores words to be spoken, and their sound.
extension PostgresRecords: SpeechRecords {
    package func order(
        _ speech: Speech,
        at address: SpeechAddress,
        for patient: PatientID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> SpeechClip? {
        let call = SpeechStatements.order(
            .id(patient),
            .bytes(address.digest),
            .text(speech.text),
            .text(speech.language),
            .text(speech.voice),
            .int(speech.speed),
            .time(date)
        )
        let rows = try await write(address.tenant, on: .background, by: deadline, [call])[0]
        guard rows.count > 0 else { throw .unknownPatient(patient) }
        return try rows.first(SpeechStatements.readClip) ?? nil
    }

    package func speech(
        at address: SpeechAddress,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> StoredSpeech? {
        let digest = PostgresValue.bytes(address.digest)
        let calls = [SpeechStatements.use(digest, .time(date)), SpeechStatements.find(digest)]
        return try await write(address.tenant, on: .background, by: deadline, calls)[1].first {
            row throws(RecordsError) in
            let clip = try SpeechStatements.readClip(&row)
            let (text, language, voice): (String, String, String) = (try row.read(), try row.read(), try row.read())
            return StoredSpeech(Speech(text, in: language, voice: voice, speed: try row.read()), clip)
        }
    }

    package func store(
        _ clip: SpeechClip,
        at address: SpeechAddress,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let call = SpeechStatements.store(.bytes(address.digest), .text(clip.mediaType), .bytes(clip.bytes))
        _ = try await write(address.tenant, on: .background, by: deadline, [call])
    }

    package func trimSpeech(to bytes: Int, by deadline: Deadline) async throws(RecordsError) -> Int {
        let results = try await run(.queues, by: deadline, SpeechStatements.trim(.int(bytes)))
        return try results[0].value(Int.self) ?? 0
    }
}

/// The statements of speech.
private enum SpeechStatements {
    static let order = Statement(
        "speech_order",
        [.uuid, .bytes, .text, .text, .text, .int8, .timestamp],
        """
        WITH found AS (
            SELECT tenant_id FROM people WHERE id = $1 AND role = 'patient'
        ), clip AS (
            INSERT INTO speech_clips AS c (tenant_id, digest, words, language, voice, speed, used_at)
            SELECT tenant_id, $2, $3, $4, $5, $6, $7 FROM found
            ON CONFLICT (tenant_id, digest) DO UPDATE SET used_at = greatest(c.used_at, excluded.used_at)
            RETURNING tenant_id, media_type, audio
        ), listener AS (
            INSERT INTO speech_listeners (patient_id, digest, tenant_id) SELECT $1, $2, tenant_id FROM clip
            ON CONFLICT DO NOTHING
        )
        SELECT media_type, audio FROM clip
        """
    )

    /// Records a use, to the hour.
    static let use = Statement(
        "speech_use",
        [.bytes, .timestamp],
        "UPDATE speech_clips SET used_at = $2 WHERE digest = $1 AND used_at <= $2 - interval '1 hour'"
    )

    static let find = Statement(
        "speech_find",
        [.bytes],
        "SELECT media_type, audio, words, language, voice, speed::int8 FROM speech_clips WHERE digest = $1"
    )

    static let store = Statement(
        "speech_store",
        [.bytes, .text, .bytes],
        "UPDATE speech_clips SET media_type = $2, audio = $3 WHERE digest = $1 AND audio IS NULL"
    )

    static let trim = Statement(
        "speech_trim",
        [.int8],
        """
        WITH ranked AS (
            SELECT tenant_id, digest, sum(size) OVER (ORDER BY used_at DESC, digest) AS whole FROM speech_clips
        ), gone AS (
            DELETE FROM speech_clips c USING ranked r
            WHERE c.tenant_id = r.tenant_id AND c.digest = r.digest AND r.whole > $1
            RETURNING c.tenant_id, c.digest
        ), unheard AS (
            DELETE FROM speech_listeners l USING gone g WHERE l.tenant_id = g.tenant_id AND l.digest = g.digest
        )
        SELECT count(*) FROM gone
        """
    )

    static func readClip(_ row: inout PostgresRow) throws(RecordsError) -> SpeechClip? {
        let mediaType = try row.readIfPresent(String.self)
        let audio = try row.readIfPresent(StoredBytes.self)
        return mediaType.flatMap { type in audio.map { SpeechClip(mediaType: type, bytes: $0.bytes) } }
    }
}
