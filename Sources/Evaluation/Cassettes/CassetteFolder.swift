import Foundation
import Runtime
import Synchronization

/// A folder of recordings, one file to a request, named by its key; read once, written as they are made.
package final class CassetteFolder: Sendable {
    /// Why recordings cannot be used.
    package enum Failure: Error, Equatable {
        /// A file is no recording, or holds another request than its name says.
        case unreadable(file: String)
        /// A file cannot be written.
        case unwritable(file: String)
    }

    private let path: String
    private let recordings: Mutex<[String: RecordedExchange]>

    /// Reads every recording of a folder; none when there is no folder.
    package init(path: String) throws(Failure) {
        self.path = path
        var recordings: [String: RecordedExchange] = [:]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where name.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: path + "/" + name),
                let json = try? JSONReader.read(Array(data)), let recording = RecordedExchange(json),
                name == Self.fileName(recording.key)
            else { throw .unreadable(file: path + "/" + name) }
            recordings[recording.key] = recording
        }
        self.recordings = Mutex(recordings)
    }

    /// How many recordings there are.
    package var count: Int { recordings.withLock { $0.count } }

    /// The recording of a request; nil when there is none.
    package func recording(_ key: String) -> RecordedExchange? { recordings.withLock { $0[key] } }

    /// Keeps a recording; one of the same request is replaced.
    package func keep(_ recording: RecordedExchange) throws(Failure) {
        let file = path + "/" + Self.fileName(recording.key)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(recording.json.indentedText.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw .unwritable(file: file)
        }
        recordings.withLock { $0[recording.key] = recording }
    }

    /// What a request misses: the recording whose text shares most lines with it, and what differs.
    package func miss(of request: RecordedExchange) -> CassetteMiss {
        let asked = lines(of: request)
        let nearest = recordings.withLock { $0.values.sorted { $0.key < $1.key } }
            .map { (recording: $0, shared: Set(lines(of: $0)).intersection(asked).count) }
            .max { $0.shared < $1.shared }?.recording
        let recorded = nearest.map(lines) ?? []
        let difference =
            recorded.filter { !asked.contains($0) }.map { "- \($0)" }
            + asked.filter { !recorded.contains($0) }.map { "+ \($0)" }
        return CassetteMiss(
            request: "\(request.method) \(request.path)",
            key: request.key,
            nearest: nearest.map { Self.fileName($0.key) },
            difference: difference
        )
    }

    private static func fileName(_ key: String) -> String { "\(key.prefix(24)).json" }

    /// A request as lines that can be compared: each field of the body, each message's lines.
    private func lines(of request: RecordedExchange) -> [String] {
        ["\(request.method) \(request.path)"] + lines(of: request.body, at: "body")
    }

    private func lines(of value: JSONValue, at place: String) -> [String] {
        switch value {
        case .object(let members): members.flatMap { lines(of: $0.value, at: "\(place).\($0.name)") }
        case .array(let items): items.enumerated().flatMap { lines(of: $1, at: "\(place)[\($0)]") }
        case .string(let text): text.split(separator: "\n").map { "\(place): \($0)" }
        default: ["\(place): \(value.text)"]
        }
    }
}
