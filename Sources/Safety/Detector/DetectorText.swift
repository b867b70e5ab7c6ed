/// A text, read and hashed once for every detector that looks at it.
package struct DetectorText: Sendable {
    let words: DetectorWords
    let features: HashedFeatures

    /// Reads a text: about 5 µs for a spoken sentence; only its first 4,000 characters.
    package init(_ text: String) {
        words = DetectorWords(text)
        features = HashedFeatures(words)
    }
}

/// An n-gram that weighed in a decision.
package struct WeighedFeature: Sendable, Equatable, Encodable {
    /// The n-gram in words; letters of a word stand between `^` and `$`, its beginning and its end.
    package let text: String
    /// How much it raised the log-odds; below zero, how much it lowered them.
    package let weight: Double
}

extension DetectorNetwork {
    /// The n-grams that weighed most in one of the numbers, the weightiest first; the same n-gram counts once for all its
    /// places.
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
                // The first n-gram of three letters from a word's beginning opens the next word of two letters or more.
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
