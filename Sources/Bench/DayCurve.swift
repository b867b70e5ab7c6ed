/// Distribution of a day's messages over its hours: few at night, most after breakfast and before supper.
///
/// The shares are an assumption, not a measurement: people who live alone and talk while they are awake. The busiest
/// hour has 2.2 times the mean; a service must be sized for it.
package enum DayCurve {
    /// The share of a day's messages in each of its hours, in thousandths.
    static let thousandths = [
        6, 4, 3, 3, 4, 10, 30, 62, 88, 92, 76, 58, 50, 46, 48, 56, 66, 78, 76, 58, 40, 24, 14, 8,
    ]

    /// Ratio of the busiest hour's messages to the mean hour's.
    package static var peak: Double {
        Double(thousandths.max() ?? 0) * 24 / Double(thousandths.reduce(0, +))
    }

    /// Time of day, as a share of the day, by which a given share of its messages has arrived.
    ///
    /// - Parameter share: 0 to 1.
    package static func time(ofShare share: Double) -> Double {
        let wanted = share * Double(thousandths.reduce(0, +))
        var sum = 0.0
        for (hour, count) in thousandths.enumerated() {
            let next = sum + Double(count)
            if wanted <= next { return (Double(hour) + (wanted - sum) / Double(count)) / 24 }
            sum = next
        }
        return 1
    }
}
