import Foundation

/// The probabilities of a detector's heads for one text.
struct Heads: Sendable, Equatable {
    private let description: DetectorDescription
    private let probabilities: [Double]

    /// Makes probabilities of a network's numbers.
    init(_ numbers: [Float], _ description: DetectorDescription, mode: DetectorDescription.Mode) {
        self.description = description
        var probabilities: [Double] = []
        probabilities.reserveCapacity(numbers.count)
        for head in description.heads {
            let slopes = mode.slopes[head.name] ?? []
            let shifts = mode.shifts[head.name] ?? []
            let group = numbers[probabilities.count..<(probabilities.count + head.labels.count)]
            switch head.kind {
            case .sigmoid:
                for (place, number) in group.enumerated() {
                    probabilities.append(1 / (1 + exp(-Double(number * slopes[place] + shifts[place]))))
                }
            case .softmax:
                let greatest = group.max() ?? 0
                let powers = group.map { exp(Double(($0 - greatest) * slopes[0])) }
                let sum = powers.reduce(0, +)
                probabilities.append(contentsOf: powers.map { $0 / sum })
            }
        }
        self.probabilities = probabilities
    }

    /// A head's labels with their probabilities, in the order of the file; empty when there is no such head.
    func labels(of name: String) -> [(label: String, probability: Double)] {
        var first = 0
        for head in description.heads {
            if head.name == name {
                return head.labels.enumerated().map { ($1, probabilities[first + $0]) }
            }
            first += head.labels.count
        }
        return []
    }

    /// The probability of a label; 0 when there is none.
    func probability(of label: String, in name: String) -> Double {
        labels(of: name).first { $0.label == label }?.probability ?? 0
    }

    /// The likeliest label that is a case of an enumeration.
    func likeliest<Case: RawRepresentable>(in name: String, of _: Case.Type) -> Case? where Case.RawValue == String {
        let known = labels(of: name).compactMap { label, probability in
            Case(rawValue: label).map { (value: $0, probability: probability) }
        }
        return known.max { $0.probability < $1.probability }?.value
    }
}
