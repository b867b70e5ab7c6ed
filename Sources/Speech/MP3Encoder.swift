import CLame

/// Encodes one voice's samples as MP3 (MPEG-2 layer III, mono, 48 kbit/s), which every browser and telephone plays.
enum MP3Encoder {
    static let mediaType = "audio/mpeg"
    /// Bytes that LAME may write beside 1.25 times the samples.
    private static let overhead = 7_200

    /// Returns the whole file; nil when the library has no memory or does not know the sample rate.
    static func file(of samples: [Int16], sampleRate: Int) -> [UInt8]? {
        guard let lame = lame_init() else { return nil }
        defer { lame_close(lame) }
        lame_set_in_samplerate(lame, Int32(sampleRate))
        lame_set_num_channels(lame, 1)
        lame_set_mode(lame, MONO)
        lame_set_brate(lame, 48)
        lame_set_quality(lame, 5)
        lame_set_write_id3tag_automatic(lame, 0)
        lame_set_bWriteVbrTag(lame, 0)
        guard lame_init_params(lame) >= 0 else { return nil }
        let room = samples.count * 5 / 4 + overhead
        var isWhole = true
        let file = [UInt8](unsafeUninitializedCapacity: room + overhead) { output, count in
            let head = lame_encode_buffer(lame, samples, samples, Int32(samples.count), output.baseAddress, Int32(room))
            let tail = lame_encode_flush(
                lame,
                output.baseAddress.map { $0 + Int(max(0, head)) },
                Int32(overhead)
            )
            isWhole = head >= 0 && tail >= 0
            count = isWhole ? Int(head + tail) : 0
        }
        return isWhole ? file : nil
    }
}
