/// A number that only grows, for each combination of label values.
package final class Counter: MetricFamily {
    private let series: MetricSeries<Int>

    init(name: String, help: String, labels: [String]) {
        series = MetricSeries(name: name, help: help, kind: "counter", labels: labels)
        if labels.isEmpty { add(0) }
    }

    var name: String { series.name }

    /// Adds to the series of these label values, given in the order of the label names.
    package func add(_ amount: Int = 1, _ labelValues: String...) {
        series.cell(labelValues).update(from: 0) { $0 += amount }
    }

    /// One series, to be added to without looking for its labels; it is shown once something was added.
    package func handle(_ labelValues: String...) -> Handle { Handle(cell: series.cell(labelValues)) }

    /// One series of the counter.
    package struct Handle: Sendable {
        fileprivate let cell: MetricCell<Int>

        /// Adds to the series.
        package func add(_ amount: Int = 1) { cell.update(from: 0) { $0 += amount } }
    }

    /// Returns the number of a series; 0 when nothing was counted.
    package func value(_ labelValues: String...) -> Int {
        series.value(labelValues) ?? 0
    }

    func total(where isCounted: ([String]) -> Bool) -> Int {
        series.all.reduce(0) { $0 + (isCounted($1.key) ? $1.value : 0) }
    }

    var all: [[String]: Int] { series.all }

    var exposition: String {
        series.exposition { labels, value in ["\(name)\(MetricSeries<Int>.braces(labels)) \(value)"] }
    }
}
