import Foundation
import Runtime
import Synchronization

/// A folder of recordings, a file to each answer, named by its request's key; read once, written as they are made.
///
/// A request that is sent again, as by a case that is repeated, has an answer each time: its takes. Replaying gives them in
/// their order and then from the first on, so that a case that passed three times of five does so again.
package final class CassetteFolder: Sendable {
    /// Why recordings cannot be used.
    package enum Failure: Error, Equatable {
        /// A file is no recording, or holds another request than its name says.
        case unreadable(file: String)
        /// A file cannot be written.
        case unwritable(file: String)
        /// The answer was not read in the time that the pipeline gave it, and is no recording: it would be replayed for ever.
        case outOfTime(request: String)
    }

    private struct State {
        /// A request's answers in their order; never empty.
        var takes: [String: [RecordedExchange]] = [:]
        /// How many answers to a request this process has kept.
        var kept: [String: Int] = [:]
    }

    private let path: String
    private let state: Mutex<State>

    /// Reads every recording of a folder; none when there is no folder.
    package init(path: String) throws(Failure) {
        self.path = path
        var read: [String: [Int: RecordedExchange]] = [:]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: path + "/" + name),
                let json = try? JSONReader.read(Array(data)), let recording = RecordedExchange(json),
                let take = Self.take(name, of: recording.key)
            else { throw .unreadable(file: path + "/" + name) }
            read[recording.key, default: [:]][take] = recording
        }
        let takes = read.mapValues { $0.sorted { $0.key < $1.key }.map(\.value) }
        state = Mutex(State(takes: takes))
    }

    /// How many requests have a recording.
    package var count: Int { state.withLock { $0.takes.count } }

    /// The recording of a request; nil when there is none.
    ///
    /// - Parameter take: Which of its answers, from 1; beyond the last they begin again.
    package func recording(_ key: String, take: Int = 1) -> RecordedExchange? {
        state.withLock { state in state.takes[key].map { $0[(take - 1) % $0.count] } }
    }

    /// Keeps a recording; the first of a request in this process replaces what an earlier one kept.
    package func keep(_ recording: RecordedExchange) throws(Failure) {
        let (take, outdated) = state.withLock { state -> (Int, Int) in
            let take = state.kept[recording.key, default: 0] + 1
            state.kept[recording.key] = take
            let outdated = take == 1 ? state.takes[recording.key]?.count ?? 0 : 0
            state.takes[recording.key] = (take == 1 ? [] : state.takes[recording.key] ?? []) + [recording]
            return (take, outdated)
        }
        let file = path + "/" + Self.fileName(recording.key, take: take)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for old in 0..<outdated { unlink(path + "/" + Self.fileName(recording.key, take: old + 1)) }
            try Data(recording.json.indentedText.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw .unwritable(file: file)
        }
    }

    /// What a request misses: the recording whose text shares most lines with it, and what differs.
    package func miss(of request: RecordedExchange) -> CassetteMiss {
        let asked = lines(of: request)
        let nearest = state.withLock { $0.takes.values.compactMap(\.first).sorted { $0.key < $1.key } }
            .map { (recording: $0, shared: Set(lines(of: $0)).intersection(asked).count) }
            .max { $0.shared < $1.shared }?.recording
        let recorded = nearest.map(lines) ?? []
        let difference =
            recorded.filter { !asked.contains($0) }.map { "- \($0)" }
            + asked.filter { !recorded.contains($0) }.map { "+ \($0)" }
        return CassetteMiss(
            request: "\(request.method) \(request.path)",
            key: request.key,
            nearest: nearest.map { Self.fileName($0.key, take: 1) },
            difference: difference
        )
    }

    private static func fileName(_ key: String, take: Int) -> String {
        "\(key.prefix(24))\(take == 1 ? "" : "-\(take)").json"
    }

    /// Which take a file's name says that it is; nil when it is no name for the key.
    private static func take(_ name: String, of key: String) -> Int? {
        guard name.hasPrefix(key.prefix(24)), name.hasSuffix(".json") else { return nil }
        let number = name.dropFirst(24).dropLast(".json".count)
        guard !number.isEmpty else { return 1 }
        return number.hasPrefix("-") ? Int(number.dropFirst()).flatMap { $0 > 1 ? $0 : nil } : nil
    }

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
