import Foundation
import Testing

@testable import Console

/// The words of the console and those of the glossary in `docs/README.md` are the same, in English and Spanish.
@Suite struct GlossaryTests {
    /// A row of the glossary whose word stands in the console's labels.
    private struct Word {
        let english: String
        let spanish: String
    }

    /// Labels in which Spanish has an irregular form of the word, or leaves it out.
    private static let others: Set<String> = [
        "It is the bundle that you promote: every patient would get it before its evidence is complete.",
        "There is no earlier bundle to go back to. Promote one that has passed the evals.",
        "no eval run has answered with the bundle {}",
    ]

    private static func words() throws -> [Word] {
        let text = try String(contentsOf: PageBench.root.appending(path: "docs/README.md"), encoding: .utf8)
        let section = text.firstRange(of: "## Glossary").map { text[$0.upperBound...] } ?? ""
        let table = section.firstRange(of: "\n## ").map { section[..<$0.lowerBound] } ?? section
        return table.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, !cells[2].isEmpty, !cells[2].hasPrefix("---"), cells[1] != "word here" else {
                return nil
            }
            return Word(english: cells[1], spanish: cells[2])
        }
    }

    /// The rows of the console's table of labels.
    private static var labels: [(english: String, spanish: String)] {
        String(decoding: PackageResources.spanish_tsv, as: UTF8.self).split(separator: "\n").compactMap { line in
            let halves = line.split(separator: "\t").map(String.init)
            return halves.count == 2 && !line.hasPrefix("#") ? (halves[0], halves[1]) : nil
        }
    }

    /// True if a text holds a word, in the singular or in a regular plural.
    private static func holds(_ text: String, _ word: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && $0 != "-" }.map(String.init)
        let wanted = word.lowercased().split(separator: " ").map(String.init)
        guard words.count >= wanted.count else { return false }
        return (0...(words.count - wanted.count)).contains { start in
            let found = words[start..<(start + wanted.count)]
            return found.dropLast().elementsEqual(wanted.dropLast())
                && [wanted.last, wanted.last.map { "\($0)s" }].contains(found.last)
        }
    }

    /// Stem with which every form of a Spanish word begins.
    private static func stem(_ word: String) -> String { String(word.prefix(max(4, word.count - 3))) }

    @Test func `a word of the glossary has one Spanish word wherever the console says it`() throws {
        let words = try Self.words()
        #expect(words.count > 25)
        for word in words {
            let rows = Self.labels.filter { Self.holds($0.english, word.english) && !Self.others.contains($0.english) }
            #expect(!rows.isEmpty, "\(word.english) stands in no label of the console")
            for row in rows {
                let isSame = word.spanish.split(separator: " ").allSatisfy {
                    row.spanish.lowercased().contains(Self.stem(String($0)))
                }
                #expect(isSame, "\(word.english) is \(word.spanish): \(row.english) → \(row.spanish)")
            }
        }
    }

    @Test func `no label says a thing of the glossary by another name`() {
        let others = [
            "bundle": ["package", "prompt set"], "fixture": ["test case"],
            "acknowledge": ["take on", "accept the alert"],
            "active bundle": ["live bundle"], "canned reply": ["fixed line", "canned line"],
            "degraded": ["impaired"], "alert": ["alarm is raised"], "posture": ["trust mode"],
        ]
        for (word, names) in others {
            for label in Self.labels {
                let said = label.english.lowercased()
                for name in names where said.contains(name) { Issue.record("\(word) is called \(name): \(said)") }
            }
        }
    }
}
