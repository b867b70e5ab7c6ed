import Conversation
import Cryptography
import Foundation

@testable import Safety

/// Exemplars with vectors made around four directions: two kinds of danger, two of ordinary talk.
struct MadeExemplars {
    static let dimension = 32
    private static let each = 40

    let exemplars: [Exemplar]
    let vectors: [[Float]]

    init(level: Level = .high) {
        var exemplars: [Exemplar] = []
        var vectors: [[Float]] = []
        var random = Lehmer(seed: 3)
        let kinds: [(String, Conversation.Category?)] = [
            ("falls", .fall), ("scams", .scam), ("greetings", nil), ("weather", nil),
        ]
        for (direction, kind) in kinds.enumerated() {
            for place in 0..<Self.each {
                let level = kind.1 == nil ? Level.none : level
                let group = "\(kind.0)\(place % 10)"
                exemplars.append(Exemplar(group: group, category: kind.1, level: level, text: "\(group) \(place)"))
                vectors.append(Self.vector(along: direction, noise: 0.5, &random))
            }
        }
        self.exemplars = exemplars
        self.vectors = vectors
    }

    var training: HeadTraining {
        var settings = HeadSettings()
        settings.steps = 40
        settings.divisions = 1
        return HeadTraining(exemplars, vectors: vectors, settings: settings)
    }

    /// A vector near one of the four directions.
    func vector(near direction: Int, turned: Float) -> [Float] {
        var random = Lehmer(seed: 11)
        return Self.vector(along: direction, noise: turned, &random)
    }

    private static func vector(along direction: Int, noise: Float, _ random: inout Lehmer) -> [Float] {
        var vector = (0..<dimension).map { _ in noise * (Float(random.below(2001)) / 1000 - 1) }
        vector[direction] += 1
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return vector.map { $0 / length }
    }
}

/// A folder of made exemplars that is gone after the test.
struct ScratchExemplars {
    let folder: String
    private let made = MadeExemplars()

    static func with(_ body: (ScratchExemplars) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "exemplars-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scratch = ScratchExemplars(folder: folder.path)
        try scratch.write()
        try body(scratch)
    }

    /// The digest of the made exemplars, without what was added.
    var digest: String {
        let lines = made.exemplars.map { "\($0.group)\t\($0.label)\t\($0.level.rawValue)\t\($0.text)\n" }
        return Digest.sha256(lines.joined()).hex
    }

    func train() throws -> ExemplarHead {
        let reader = try ExemplarReader(folder: folder)
        let (head, figures) = made.training.run()
        try HeadFile.write(head, figures, space: "made", modelDigest: "-", exemplarsDigest: reader.digest, to: folder)
        return head
    }

    func write(extra: String? = nil) throws {
        var text = "exemplars:\n"
        for exemplar in made.exemplars + (extra.map { [Self.ordinary($0)] } ?? []) {
            text += "  - {group: \(exemplar.group), category: \(exemplar.label), level: \(exemplar.level.rawValue), "
            text += "texts: [\"\(exemplar.text)\"]}\n"
        }
        try Data(text.utf8).write(to: URL(filePath: folder + "/made.yaml"))
    }

    private static func ordinary(_ text: String) -> Exemplar {
        Exemplar(group: "extra", category: nil, level: .none, text: text)
    }
}
