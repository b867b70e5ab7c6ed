import Cryptography
import Domain
import Foundation
import TestSupport
import Testing

@testable import Recall

/// The layers that make the detectors' vectors: what they compute, and the files that are refused.
@Suite struct ReadingLayersTests {
    private static let path = RealEngine.packageFolder + "/Engine/reading.layers"

    @Test func `a sentence has a vector for its meaning and another for its reading, both of unit length`() async throws
    {
        let encoding = try await RealEngine.load().encoding(of: "My daughter Anna visits on Sundays.", by: .far)
        #expect(encoding.reading.count == E5Space.dimension && encoding.vector.count == E5Space.dimension)
        #expect(abs(dot(encoding.reading, encoding.reading) - 1) < 1e-4)
        #expect(encoding.reading != encoding.vector)
    }

    @Test func `the own layers leave the vector of the meaning as it was`() async throws {
        var settings = RealEngine.settings
        settings.layers = nil
        let plain = try await EmbeddingEngine.load(settings, by: .far)
        defer { plain.stop() }
        let engine = try await RealEngine.load()
        for sentence in ["I fell in the hall.", "", "¿Quién llama?", String(repeating: "word ", count: 300)] {
            let alone = try await plain.encoding(of: sentence, by: .far)
            #expect(alone.reading.isEmpty)
            #expect(try await engine.vector(of: sentence, by: .far) == alone.vector)
        }
        #expect(plain.readingSpaces == nil && engine.readingSpaces == E5Space.readings)
    }

    @Test func `the kernels read alike`() throws {
        let layers = try ReadingLayers(path: Self.path, digest: E5Space.layersDigest)
        let settings = RealEngine.settings
        let models = try ["avx2", "avx-vnni", "avx512-vnni"].map { name in
            try E5Model(
                library: settings.library,
                model: settings.model,
                digest: settings.modelDigest,
                reading: layers,
                kernel: .named(name)
            )
        }
        let able = models.filter(\.hasKernel)
        let text = SafeText("Someone from the bank wants my code, and I can't get up.")
        let readings = able.compactMap { $0.encoding(of: $0.tokenized(text))?.reading }
        #expect(!able.isEmpty && readings.count == able.count)
        for reading in readings { #expect(dot(reading, readings[0]) > 0.9995) }
    }

    @Test func `without a kernel there is no reading, and no space for one`() async throws {
        var settings = RealEngine.settings
        settings.kernel = .none
        let engine = try await EmbeddingEngine.load(settings, by: .far)
        defer { engine.stop() }
        let encoding = try await engine.encoding(of: "I fell in the hall.", by: .far)
        #expect(encoding.reading.isEmpty && !encoding.vector.isEmpty && engine.readingSpaces == nil)
    }

    @Test(arguments: [
        ("reading.layers", E5Space.layersDigest), ("answers.layers", E5Space.answerLayersDigest),
    ])
    func `the digests in the source are those of the layers that ship`(file: String, digest: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: RealEngine.packageFolder + "/Engine/" + file))
        #expect(Digest.sha256(bytes).hex == digest)
    }

    @Test func `missing or damaged layers for answers are refused as well`() async throws {
        let folder = try ScratchFolder()
        let path = folder.path("answers.layers")
        try Damage.shorter.applied(to: try Data(contentsOf: URL(fileURLWithPath: Self.path)))
            .write(to: URL(fileURLWithPath: path))
        for (path, found) in [
            ("/nowhere/answers.layers", nil), (path, try Data(contentsOf: URL(fileURLWithPath: path))),
        ] {
            var settings = RealEngine.settings
            settings.answerLayers = path
            let expected = settings.answerLayersDigest
            let digest = found.map { Digest.sha256($0).hex }
            await #expect(throws: EmbeddingError.wrongLayers(path: path, expected: expected, found: digest)) {
                try await EmbeddingEngine.load(settings, by: .far)
            }
        }
    }

    @Test func `missing layers are refused`() async {
        await expectRefused("/nowhere/reading.layers", found: nil)
    }

    @Test(arguments: [Damage.shorter, .longer, .oneByte])
    func `damaged layers are refused before they are used`(damage: Damage) async throws {
        let folder = try ScratchFolder()
        let path = folder.path("reading.layers")
        let bytes = damage.applied(to: try Data(contentsOf: URL(fileURLWithPath: Self.path)))
        try bytes.write(to: URL(fileURLWithPath: path))
        await expectRefused(path, found: Digest.sha256(bytes).hex)
    }

    @Test(arguments: [Damage.shorter, .longer, .otherStart])
    func `layers that do not fit the model are refused by the engine when their digest is asked for`(
        damage: Damage
    ) async throws {
        let folder = try ScratchFolder()
        let path = folder.path("reading.layers")
        let bytes = damage.applied(to: try Data(contentsOf: URL(fileURLWithPath: Self.path)))
        try bytes.write(to: URL(fileURLWithPath: path))
        var settings = RealEngine.settings
        settings.layers = path
        settings.layersDigest = Digest.sha256(bytes).hex
        await #expect(throws: EmbeddingError.layersRefused(path: path)) {
            try await EmbeddingEngine.load(settings, by: .far)
        }
    }

    private func expectRefused(_ path: String, found: String?) async {
        var settings = RealEngine.settings
        settings.layers = path
        let expected = E5Space.layersDigest
        await #expect(throws: EmbeddingError.wrongLayers(path: path, expected: expected, found: found)) {
            try await EmbeddingEngine.load(settings, by: .far)
        }
    }

    enum Damage: Sendable {
        case shorter, longer, oneByte, otherStart

        func applied(to bytes: Data) -> Data {
            var bytes = bytes
            switch self {
            case .shorter: bytes.removeLast(18)
            case .longer: bytes.append(0)
            case .oneByte: bytes[bytes.count / 2] ^= 1
            case .otherStart: bytes[12] = 7
            }
            return bytes
        }
    }
}
