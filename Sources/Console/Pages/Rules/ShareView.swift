import Safety

/// A share of labelled sentences with its confidence interval; words instead if there are too few sentences.
struct ShareView: Sendable {
    let share: Safety.Proportion?

    var html: HTML {
        guard let share, share.total > 0 else { return "<span class=\"quiet\">no sentence to tell by</span>" }
        guard share.total >= RuleFigures.fewest else {
            return "<span class=\"quiet\">too few to say: \(share.count) of \(share.total)</span>"
        }
        let interval = share.interval
        return """
            \(Self.percent(share.value)) <span class="quiet">(\(Self.percent(interval.lowerBound)) to \
            \(Self.percent(interval.upperBound)); \(share.count) of \(share.total))</span>
            """
    }

    private static func percent(_ value: Double) -> String {
        "\(Int((value * 100).rounded())) %"
    }
}
