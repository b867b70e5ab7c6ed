/// A text that is read and hashed once for all detectors.
package struct DetectorText: Sendable {
    let words: DetectorWords
    let features: HashedFeatures

    /// Reads the first 4,000 characters of a text; a spoken sentence takes about 5 µs.
    package init(_ text: String) {
        words = DetectorWords(text)
        features = HashedFeatures(words)
    }
}

/// An n-gram with its weight in a decision.
package struct WeighedFeature: Sendable, Equatable, Encodable {
    /// The n-gram's text; `^` and `$` mark the beginning and end of a word's letters.
    package let text: String
    /// The change of the log-odds; negative when it lowered them.
    package let weight: Double
}

extension DetectorNetwork {
    /// The n-grams with the largest weight in one output, the largest first.
    ///
    /// Repeated n-grams count once.
    func explanation(_ text: DetectorText, vector: [Float]?, output: Int, most: Int) -> [WeighedFeature] {
        let weight = weights(of: text.features, vector: vector, in: output)
        var found: [String: Double] = [:]
        var word = 0
        var known = -1
        HashedFeatures.forEach(in: text.words) { kind, bucket, first, count in
            switch kind {
            case .words:
                let words = (first..<(first + count)).map { text.words.word($0) }.joined(separator: " ")
                found[words, default: 0] += Double(weight(kind, bucket))
            case .letters:
                // The first three-letter n-gram of a word also marks the start of the next word of two or more letters.
                if first == -1, count == 3 {
                    known += 1
                    while text.words.place(known).count < 2 { known += 1 }
                    word = known
                }
                let padded = Array("^\(text.words.word(word))$")
                let letters = String(padded[(first + 1)..<(first + 1 + count)])
                found[letters, default: 0] += Double(weight(kind, bucket))
            }
        }
        return found.map { WeighedFeature(text: $0.key, weight: $0.value) }
            .filter { $0.weight != 0 }
            .sorted { (abs($0.weight), $1.text) > (abs($1.weight), $0.text) }
            .prefix(most).map(\.self)
    }
}
