/// A number that goes up and down, for each combination of label values.
package final class Gauge: MetricFamily {
    private let series: MetricSeries<Double>

    init(name: String, help: String, labels: [String]) {
        series = MetricSeries(name: name, help: help, kind: "gauge", labels: labels)
        if labels.isEmpty { set(0) }
    }

    var name: String { series.name }

    /// Sets the series of these label values, given in the order of the label names.
    package func set(_ value: Double, _ labelValues: String...) {
        series.cell(labelValues).update(from: 0) { $0 = value }
    }

    /// Adds to the series; a negative amount subtracts.
    package func add(_ amount: Double, _ labelValues: String...) {
        series.cell(labelValues).update(from: 0) { $0 += amount }
    }

    /// Returns the number of a series; 0 when it was never set.
    package func value(_ labelValues: String...) -> Double {
        series.value(labelValues) ?? 0
    }

    /// The sum of all series.
    var sum: Double { series.all.values.reduce(0, +) }

    var exposition: String {
        series.exposition { labels, value in ["\(name)\(MetricSeries<Double>.braces(labels)) \(value)"] }
    }
}
