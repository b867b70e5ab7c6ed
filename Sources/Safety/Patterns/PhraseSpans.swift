/// Where the phrases of each set stand in a text, as words.
struct PhraseSpans {
    /// A phrase's words; `end` is the one after its last.
    struct Span {
        let start: Int
        let end: Int
    }

    private let spans: [Span]
    private let ranges: [Range<Int>]
    /// The sets that were found, each once.
    let sets: [Int]

    init(
        _ phrases: [(phrase: Int, span: Span)],
        in text: NormalisedText,
        setsOfPhrase: [[Int]],
        setCount: Int
    ) {
        var counts = [Int](repeating: 0, count: setCount + 1)
        var found: [(set: Int, span: Span)] = []
        found.reserveCapacity(phrases.count * 2)
        for (phrase, span) in phrases where text.sentences[span.start] == text.sentences[span.end - 1] {
            for set in setsOfPhrase[phrase] {
                found.append((set, span))
                counts[set + 1] += 1
            }
        }
        sets = counts.indices.dropLast().filter { counts[$0 + 1] > 0 }
        for set in 0..<setCount { counts[set + 1] += counts[set] }
        ranges = (0..<setCount).map { counts[$0]..<counts[$0 + 1] }
        var next = counts
        var spans = [Span](repeating: Span(start: 0, end: 0), count: found.count)
        for (set, span) in found {
            spans[next[set]] = span
            next[set] += 1
        }
        for range in ranges where range.count > 1 { spans[range].sort { ($0.start, $0.end) < ($1.start, $1.end) } }
        self.spans = spans
    }

    func contains(_ set: Int) -> Bool { !ranges[set].isEmpty }

    /// The set's phrases in order of their beginnings.
    subscript(_ set: Int) -> ArraySlice<Span> { spans[ranges[set]] }

    /// The set's phrases that begin at one of these words.
    func spans(of set: Int, from first: Int, through last: Int) -> ArraySlice<Span> {
        let all = self[set]
        var low = all.startIndex
        var high = all.endIndex
        while low < high {
            let middle = (low + high) / 2
            if all[middle].start < first { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < all.endIndex, all[end].start <= last { end += 1 }
        return all[low..<end]
    }
}
