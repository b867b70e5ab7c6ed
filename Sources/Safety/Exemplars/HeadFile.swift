package import Cryptography
import Foundation

/// A trained head on disk: `head.json` says what it rests on, `head.bin` holds its numbers.
///
/// `head.bin` has the classifier's weights as 32-bit floats, the scales of the exemplars' vectors as 32-bit floats, and
/// their numbers as 8-bit integers, little-endian, nothing between them.
package struct HeadFile: Sendable, Equatable, Codable {
    /// The space of the vectors: engine, model and treatment.
    package let space: String
    /// The SHA-256 of the embedding model's file.
    package let modelDigest: String
    /// The SHA-256 of the exemplars.
    package let exemplarsDigest: String
    /// The SHA-256 of `head.bin`.
    package let weightsDigest: String
    /// How it was trained.
    package let settings: HeadSettings
    /// The scores from which a message counts as found.
    package let thresholds: HeadThresholds
    /// What training measured.
    package let figures: HeadFigures
    /// The classes in the order of the weights.
    package let labels: [String]
    /// How many numbers a vector has.
    package let dimension: Int

    private static let description = "head.json"
    private static let numbers = "head.bin"

    /// Writes a head beside the exemplars that it was trained on.
    package static func write(
        _ head: ExemplarHead,
        _ figures: HeadFigures,
        space: String,
        modelDigest: String,
        exemplarsDigest: Digest,
        to folder: String
    ) throws {
        let bytes = bytes(of: head)
        let file = HeadFile(
            space: space,
            modelDigest: modelDigest,
            exemplarsDigest: exemplarsDigest.hex,
            weightsDigest: Digest.sha256(bytes).hex,
            settings: head.settings,
            thresholds: head.thresholds,
            figures: figures,
            labels: head.labels,
            dimension: head.dimension
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(numbers)"), options: .atomic)
        try (encoder.encode(file) + Data("\n".utf8))
            .write(to: URL(filePath: "\(folder)/\(description)"), options: .atomic)
    }

    /// Reads the head of a folder of exemplars and holds it to them; about 30 ms.
    ///
    /// - Parameter space: The space of the vectors that messages have.
    package static func read(_ folder: String, for space: String) throws(ExemplarError) -> ExemplarHead {
        let file = try description(of: folder)
        guard file.space == space else { throw .otherSpace(trained: file.space, found: space) }
        let reader = try ExemplarReader(folder: folder)
        guard reader.digest.hex == file.exemplarsDigest else {
            throw .otherExemplars(trained: file.exemplarsDigest, found: reader.digest.hex)
        }
        let numbers = "\(folder)/\(numbers)"
        guard let bytes = FileManager.default.contents(atPath: numbers) else { throw .unreadable(file: numbers) }
        guard Digest.sha256(bytes).hex == file.weightsDigest, let head = file.head(reader.exemplars, [UInt8](bytes))
        else { throw .damaged(file: numbers) }
        return head
    }

    /// The space of the vectors that a folder's head was trained on.
    package static func space(of folder: String) throws(ExemplarError) -> String { try description(of: folder).space }

    private static func description(of folder: String) throws(ExemplarError) -> HeadFile {
        let path = "\(folder)/\(description)"
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(file: path) }
        guard let file = try? JSONDecoder().decode(HeadFile.self, from: data) else { throw .damaged(file: path) }
        return file
    }

    private func head(_ exemplars: [Exemplar], _ bytes: [UInt8]) -> ExemplarHead? {
        let weights = labels.count * (dimension + 1)
        guard bytes.count == 4 * weights + exemplars.count * (4 + dimension) else { return nil }
        let floats = bytes.prefix(4 * (weights + exemplars.count))
        var numbers = floats.indices.filter { $0 % 4 == 0 }.map { Self.float(bytes, at: $0) }
        var classifier = SoftmaxClassifier(classes: labels.count, dimension: dimension)
        classifier.weights = Array(numbers.prefix(weights))
        numbers.removeFirst(weights)
        let vectors = PackedVectors(
            dimension: dimension,
            scales: numbers,
            numbers: bytes.dropFirst(floats.count).map(Int8.init(bitPattern:))
        )
        return ExemplarHead(
            exemplars,
            labels: labels,
            classifier: classifier,
            vectors: vectors,
            settings: settings,
            thresholds: thresholds
        )
    }

    private static func bytes(of head: ExemplarHead) -> [UInt8] {
        let floats = head.classifier.weights + head.vectors.scales
        let bytes = floats.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
        return bytes + head.vectors.numbers.map(UInt8.init(bitPattern:))
    }

    private static func float(_ bytes: [UInt8], at place: Int) -> Float {
        Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << ($1 * 8) })
    }
}
