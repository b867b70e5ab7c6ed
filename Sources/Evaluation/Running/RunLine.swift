import Foundation

/// A line of a run's file.
package enum RunLine: Sendable, Equatable {
    case header(RunHeader)
    case sample(SampleRecord)
    case end(RunEnd)

    private struct Written: Codable {
        var header: RunHeader?
        var sample: SampleRecord?
        var end: RunEnd?
    }

    /// Parses a line; nil if it is invalid, for example cut off.
    package init?(_ line: some Sequence<UInt8>) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let written = try? decoder.decode(Written.self, from: Data(line)) else { return nil }
        if let header = written.header, header.schema == RunHeader.currentSchema {
            self = .header(header)
        } else if let sample = written.sample {
            self = .sample(sample)
        } else if let end = written.end {
            self = .end(end)
        } else {
            return nil
        }
    }

    /// The line as JSON with its line end.
    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .throw
        let written: Written =
            switch self {
            case .header(let header): Written(header: header)
            case .sample(let sample): Written(sample: sample)
            case .end(let end): Written(end: end)
            }
        return ((try? encoder.encode(written)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
    }
}
