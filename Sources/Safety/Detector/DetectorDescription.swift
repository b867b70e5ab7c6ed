import Foundation

/// The JSON description at the beginning of a detector's file.
package struct DetectorDescription: Sendable, Equatable, Codable {
    /// A group of outputs that belong together.
    package struct Head: Sendable, Equatable, Codable {
        /// The conversion of outputs to probabilities.
        package enum Kind: String, Sendable, Codable {
            /// Exactly one label is true.
            case softmax
            /// Each label is true or false on its own.
            case sigmoid
        }

        /// The head's name: "danger", "category".
        package let name: String
        /// The conversion of outputs to probabilities.
        package let kind: Kind
        /// The labels of the outputs.
        package let labels: [String]
    }

    /// Calibration and thresholds with or without the vector.
    package struct Mode: Sendable, Equatable, Codable {
        /// The factors of each head's outputs before conversion; a softmax has one for all.
        package let slopes: [String: [Float]]
        /// The offsets of each head's outputs.
        package let shifts: [String: [Float]]
        /// The thresholds of probabilities by name: "medium.confident", "scam.suspected".
        package let thresholds: [String: Double]
    }

    /// The kind of text read: "messages" or "replies".
    package let purpose: String
    /// The space of the vectors; empty without vectors.
    package let space: String
    /// The number of components of a vector; 0 without vectors.
    package let dimension: Int
    /// The number of hidden units; a multiple of 16.
    package let hidden: Int
    /// The number of n-grams with weights.
    package let rows: Int
    /// The weights of word n-grams and letter n-grams.
    package let gains: [Float]
    /// The heads in the order of their outputs.
    package let heads: [Head]
    /// The modes by name: "vector", "text".
    package let modes: [String: Mode]
    /// The SHA-256 of the training corpus.
    package let corpus: String

    /// The number of outputs.
    package var outputs: Int { heads.reduce(0) { $0 + $1.labels.count } }
}

/// The positions of a head's labels among the network's outputs, with the label of each.
struct HeadPositions<Label: RawRepresentable & Sendable>: Sendable where Label.RawValue == String {
    let labels: [(place: Int, label: Label)]

    /// Finds a head and drops labels that the enumeration does not have.
    init(_ name: String, in description: DetectorDescription, path: String) throws(DetectorFileError) {
        guard let first = description.start(of: name), let head = description.heads.first(where: { $0.name == name })
        else { throw .description(path: path, fault: "there is no head \(name)") }
        labels = head.labels.enumerated().compactMap { place, label in
            Label(rawValue: label).map { (first + place, $0) }
        }
        guard !labels.isEmpty else { throw .description(path: path, fault: "the head \(name) has no known label") }
    }

    /// The probabilities of the labels among themselves, in their order.
    func shares(_ probabilities: [Double]) -> [Double] {
        let sum = labels.reduce(Double.leastNormalMagnitude) { $0 + probabilities[$1.place] }
        return labels.map { probabilities[$0.place] / sum }
    }

    /// The most probable label.
    func likeliest(_ probabilities: [Double]) -> Label {
        var best = labels[0]
        for label in labels where probabilities[label.place] > probabilities[best.place] { best = label }
        return best.label
    }
}

extension DetectorDescription {
    /// The position of a head's first output.
    func start(of name: String) -> Int? {
        var first = 0
        for head in heads {
            if head.name == name { return first }
            first += head.labels.count
        }
        return nil
    }

    /// The position of a label among all outputs.
    func place(of label: String, in name: String) -> Int? {
        guard let first = start(of: name), let head = heads.first(where: { $0.name == name }) else { return nil }
        return head.labels.firstIndex(of: label).map { first + $0 }
    }
}

/// Turns a network's outputs into probabilities by the calibration of a mode.
struct Calibration: Sendable {
    private let isSoftmax: [Bool]
    private let counts: [Int]
    private let slopes: [Float]
    private let shifts: [Float]

    /// Takes the calibration of a mode, which the file's reader has checked against the heads.
    init(_ description: DetectorDescription, _ mode: DetectorDescription.Mode) {
        isSoftmax = description.heads.map { $0.kind == .softmax }
        counts = description.heads.map(\.labels.count)
        func spread(_ values: [String: [Float]]) -> [Float] {
            description.heads.flatMap { head in
                let found = values[head.name] ?? []
                return head.kind == .softmax ? head.labels.map { _ in found[0] } : found
            }
        }
        slopes = spread(mode.slopes)
        shifts = spread(mode.shifts)
    }

    /// The probabilities of all labels.
    func probabilities(_ numbers: [Float]) -> [Double] {
        var found = [Double](repeating: 0, count: numbers.count)
        var first = 0
        for head in counts.indices {
            let end = first + counts[head]
            var greatest = -Float.infinity
            for place in first..<end { greatest = max(greatest, numbers[place] * slopes[place]) }
            var sum = 0.0
            for place in first..<end {
                let number = numbers[place] * slopes[place]
                if isSoftmax[head] {
                    found[place] = Double(expf(number - greatest))
                    sum += found[place]
                } else {
                    found[place] = 1 / (1 + Double(expf(-number - shifts[place])))
                }
            }
            if isSoftmax[head] { for place in first..<end { found[place] /= sum } }
            first = end
        }
        return found
    }
}
