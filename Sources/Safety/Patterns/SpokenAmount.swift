/// Recognises numbers and amounts of money, in digits or words, in English and Spanish.
enum SpokenAmount {
    private static let numbers: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen",
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "hundreds", "thousand",
        "thousands", "million", "millions", "dozen", "couple", "several", "dos", "tres", "cuatro", "cinco", "seis",
        "siete",
        "ocho", "nueve", "diez", "veinte", "treinta", "cien", "cientos", "mil", "miles", "millon", "millones",
    ]

    private static let currencies: Set<String> = [
        "dollar", "dollars", "bucks", "grand", "euro", "euros", "pounds", "quid", "dolares", "dolar", "pesos",
    ]

    /// Returns true if a word is a number; "$500" is one too.
    static func isNumber(_ word: String) -> Bool {
        if numbers.contains(word) { return true }
        let digits = word.hasPrefix("$") ? word.dropFirst() : word[...]
        return digits.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    }

    /// Returns true if a number has at least seven digits, like telephones, accounts and cards.
    static func isLong(_ word: String) -> Bool {
        word.utf8.count >= 7 && word.utf8.count { (0x30...0x39).contains($0) } >= 7
    }

    /// Finds amounts of money: "$500", "500 dollars", "a few hundred bucks", "thousands of dollars".
    static func money(in words: [NormalisedText.Word]) -> [Range<Int>] {
        words.indices.compactMap { start in end(of: start, in: words).map { start..<$0 } }
    }

    private static let longest = 5

    private static func end(of start: Int, in words: [NormalisedText.Word]) -> Int? {
        if words[start].text.hasPrefix("$") {
            let isScaled =
                start + 1 < words.count && ["thousand", "million", "hundred"].contains(words[start + 1].text)
            return isScaled ? start + 2 : start + 1
        }
        guard isNumber(words[start].text) else { return nil }
        let reach = (start + 1)..<max(start + 1, min(words.count, start + longest))
        return reach.first { currencies.contains(words[$0].text) }.map { $0 + 1 }
    }
}
