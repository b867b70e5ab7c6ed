import Domain
import Foundation
import Testing

@testable import Safety

/// The learned reader of answers to reminders: what it hears, and the files that it refuses.
struct AnswerDetectorTests {
    static let path = RulesFolder.root.appending(path: "prompts/detector/answers.detector").path

    private static let medicine = AnswerOccasion(isMedicine: true, isHeard: true)
    private static let other = AnswerOccasion(isMedicine: false, isHeard: true)
    private static let open = AnswerOccasion(isMedicine: true, isHeard: false)

    private static func detector(space: String? = nil) throws -> AnswerDetector {
        try AnswerDetector(path: path, space: space)
    }

    @Test(arguments: [
        ("Later, later", AnswerReading.later), ("Not till I've had my tea", .later),
        ("Luego, luego, ahora no puedo", .later),
        ("Which one is that, the little white one?", .asked), ("You what, love? Say that again", .asked),
        ("I think I took two of them by mistake", .doubted), ("I can't remember if I took it or not", .uncertain),
        ("No me acuerdo si ya me la tomé", .uncertain),
    ])
    func `what answers a reminder of a medicine is read by its words`(said: String, reading: AnswerReading) throws {
        #expect(try Self.detector().read(said, vector: [], Self.medicine) == reading)
    }

    @Test(arguments: [
        "What's on the telly tonight?", "Frank took his at dinner", "I took the dog out this morning",
        "It's raining cats and dogs again", "Thank you, dear", "My sister is on the same tablets",
    ])
    func `other talk is neither surely done nor put off`(said: String) throws {
        for occasion in [Self.medicine, Self.other, Self.open] {
            let reading = try Self.detector().read(said, vector: [], occasion)
            #expect(reading != .surelyDone && reading != .later && reading != .skipped)
        }
    }

    @Test func `without a vector nothing is surely done or skipped`() throws {
        for said in [
            "Swallowed it", "That's it taken", "Down the hatch", "Ya me la tragué", "Not today, thanks", "Skip it",
        ] {
            let reading = try Self.detector().read(said, vector: [], Self.medicine)
            #expect(reading?.unsure == reading)
        }
    }

    @Test func `a reminder that is only open needs more certainty than one that was heard`() throws {
        let description = try DetectorFile(path: Self.path).description
        for mode in description.modes.values {
            let sure = AnswerShares.certain.map { "surely_\($0.unsure.rawValue)" }
            for name in AnswerShares.meanings.map(\.rawValue) + sure {
                let heard = try #require(mode.thresholds["heard.\(name)"])
                #expect(try #require(mode.thresholds["open.\(name)"]) >= heard)
            }
        }
    }

    @Test func `a text that is longer than an answer is not read`() throws {
        let detector = try Self.detector()
        #expect(detector.read(String(repeating: "later ", count: 80), vector: [], Self.medicine) == nil)
        #expect(detector.read("Later. ", vector: [], Self.medicine) == .later)
        #expect(detector.read(String(repeating: "Later. ", count: 9), vector: [], Self.medicine) == nil)
    }

    @Test func `a vector of another space or length is not looked at`() throws {
        let vector = DetectorTests.turnedVector
        let plain = try Self.detector().read("Later, later", vector: [], Self.medicine)
        #expect(
            try Self.detector(space: "remote/other/384").read("Later, later", vector: vector, Self.medicine) == plain
        )
        let own = try Self.detector(space: DetectorFile(path: Self.path).description.space)
        #expect(own.usesVectors)
        #expect(own.read("Later, later", vector: [1, 0], Self.medicine) == plain)
    }

    @Test func `a file for other texts is refused`() throws {
        let replies = RulesFolder.root.appending(path: "prompts/detector/replies.detector").path
        #expect(throws: DetectorFileError.otherPurpose(path: replies, found: "replies", wanted: "answers")) {
            try AnswerDetector(path: replies, space: nil)
        }
    }

    @Test(arguments: [
        ("\"already\"", "\"earlier\""), ("\"heard.surely_skipped\"", "\"heard.certainly_skipped\""),
        ("\"open.later\"", "\"open.late\""),
        ("\"name\": \"answer\"", "\"name\": \"sense\""), ("\"answer\": [", "\"reply\": ["),
    ])
    func `a file without a label, a threshold or a head is refused`(what: String, instead: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).detector")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(RewrittenDetector.bytes(of: Self.path, replacing: what, with: instead)).write(to: file)
        #expect { try AnswerDetector(path: file.path, space: nil) } throws: { error in
            if case DetectorFileError.description = error { true } else { false }
        }
    }
}
