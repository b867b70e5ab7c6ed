import Conversation

/// An explanation of the detector's reading of a message, for people.
package struct DetectorAccount: Sendable, Equatable, Encodable {
    /// A label with its probability.
    package struct Likely: Sendable, Equatable, Encodable {
        package let label: String
        package let probability: Double
    }

    /// The probability of a danger of each level or above.
    package let danger: [Likely]
    /// The most probable categories, assuming a danger.
    package let categories: [Likely]
    /// The probability of a fraud.
    package let scam: Double
    /// The fraud's kind and stage, assuming a fraud.
    package let scamType: String
    package let scamStage: String
    /// The person concerned, the time and the speech act.
    package let subject: String
    package let time: String
    package let act: String
    /// True if the vector was used.
    package let usesVector: Bool
    /// The n-grams with the largest weight in a danger of medium or above.
    package let weighedInDanger: [WeighedFeature]
    /// The n-grams with the largest weight in a fraud.
    package let weighedInScam: [WeighedFeature]

    /// Explains a message.
    package init(_ detector: MessageDetector, of text: String, vector: [Float]?) {
        let reading = detector.detect(DetectorText(text), vector: vector)
        danger = [Level.low, .medium, .high, .critical].map {
            Likely(label: $0.rawValue, probability: Self.rounded(reading.danger[$0]))
        }
        categories = reading.categories.prefix(3).map {
            Likely(label: $0.category.rawValue, probability: Self.rounded($0.probability))
        }
        scam = Self.rounded(reading.scam)
        scamType = reading.scamType.rawValue
        scamStage = reading.scamStage.rawValue
        subject = reading.subject.rawValue
        time = reading.time.rawValue
        act = reading.act.rawValue
        usesVector = reading.usesVector
        let weighed = detector.explanation(of: text, vector: vector, most: 8)
        weighedInDanger = weighed.danger.map { WeighedFeature(text: $0.text, weight: Self.rounded($0.weight)) }
        weighedInScam = weighed.scam.map { WeighedFeature(text: $0.text, weight: Self.rounded($0.weight)) }
    }

    private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
}
