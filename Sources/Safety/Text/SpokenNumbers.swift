/// Writes numbers that were spoken in two words or more as digits: "two thousand five hundred" becomes "2500", "nine one one"
/// becomes "911".
///
/// A number of one word stays a word, because "one" is more often a pronoun than an amount.
enum SpokenNumbers {
    static func written(_ tokens: [Token]) -> [Token] {
        guard tokens.contains(where: { isNumeric($0) }) else { return tokens }
        var written: [Token] = []
        var place = 0
        while place < tokens.count {
            let end = runEnd(tokens, from: place)
            if end - place >= 2 {
                written += numbers(in: tokens[place..<end])
                place = end
            } else {
                written.append(tokens[place])
                place += 1
            }
        }
        return written
    }

    private static let small: [String: Int] = {
        let names = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        var small = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        for (place, name) in tens.enumerated() { small[name] = (place + 2) * 10 }
        return small
    }()

    private static let scales = ["hundred": 100, "thousand": 1000, "million": 1_000_000]

    private static func value(_ token: Token) -> Int? {
        small[token.text] ?? (token.text.utf8.count <= 6 ? Int(token.text) : nil)
    }

    private static func isNumeric(_ token: Token) -> Bool {
        value(token) != nil || scales[token.text] != nil
    }

    private static func runEnd(_ tokens: [Token], from place: Int) -> Int {
        guard value(tokens[place]) != nil else { return place }
        var end = place + 1
        while end < tokens.count, isNumeric(tokens[end]), tokens[end].before == .none { end += 1 }
        return end
    }

    /// The numbers of a run, each with the words that it was spoken in.
    private static func numbers(in run: ArraySlice<Token>) -> [Token] {
        var groups: [(value: Int, words: Range<Int>, wasScaled: Bool)] = []
        for place in run.indices {
            let token = run[place]
            if let scale = scales[token.text], let last = groups.last, last.value < 1000 * scale {
                let (product, overflow) = max(1, last.value).multipliedReportingOverflow(by: scale)
                if !overflow { groups[groups.count - 1] = (product, last.words.lowerBound..<(place + 1), true) }
                joinScaled(&groups)
            } else if let value = value(token) {
                add(value, at: place, isDigits: small[token.text] == nil, to: &groups)
            }
        }
        return digits(groups, in: run)
    }

    /// "twenty five", "two hundred five": a smaller number completes the one before it.
    private static func add(
        _ value: Int,
        at place: Int,
        isDigits: Bool,
        to groups: inout [(value: Int, words: Range<Int>, wasScaled: Bool)]
    ) {
        if let last = groups.last, !isDigits {
            let completesTens = !last.wasScaled && (20..<100).contains(last.value) && last.value % 10 == 0 && value < 10
            let completesScale = last.wasScaled && value < 100 && last.value % 100 == 0
            let completesBoth =
                last.wasScaled && last.value % 100 >= 20 && last.value % 10 == 0 && (1..<10).contains(value)
            if (completesTens && value > 0) || (completesScale && value > 0) || completesBoth {
                groups[groups.count - 1] = (last.value + value, last.words.lowerBound..<(place + 1), last.wasScaled)
                return
            }
        }
        groups.append((value, place..<(place + 1), false))
    }

    /// "two thousand | five hundred" is one number.
    private static func joinScaled(_ groups: inout [(value: Int, words: Range<Int>, wasScaled: Bool)]) {
        guard groups.count >= 2 else { return }
        let last = groups[groups.count - 1]
        let previous = groups[groups.count - 2]
        guard previous.wasScaled, previous.value % 1000 == 0, last.value < 1000, previous.value > last.value else {
            return
        }
        groups.removeLast()
        let words = previous.words.lowerBound..<last.words.upperBound
        groups[groups.count - 1] = (previous.value + last.value, words, true)
    }

    private static func digits(
        _ groups: [(value: Int, words: Range<Int>, wasScaled: Bool)],
        in run: ArraySlice<Token>
    ) -> [Token] {
        if groups.count >= 3, groups.allSatisfy({ $0.value < 10 && !$0.wasScaled }) {
            return [token(groups.map { String($0.value) }.joined(), run.startIndex..<run.endIndex, run)]
        }
        return groups.map { token(String($0.value), $0.words, run) }
    }

    private static func token(_ text: String, _ words: Range<Int>, _ run: ArraySlice<Token>) -> Token {
        let first = run[words.lowerBound]
        let last = run[words.upperBound - 1]
        return Token(text: text, origin: first.origin.lowerBound..<last.origin.upperBound, before: first.before)
    }
}
