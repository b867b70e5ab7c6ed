package import Domain

/// Reads a message as the answer to a reminder that was just heard, where no list of words understands it.
///
/// Computes a network over hashed n-grams and the message's vector, trained on `corpus/reminders`. A message takes about
/// 30 µs. A longer one than an answer is not read.
package final class AnswerDetector: Sendable {
    /// The most bytes and sentences of an answer.
    private static let (longest, mostSentences) = (400, 8)

    private let network: DetectorNetwork
    private let places: HeadPositions<AnswerLabel>
    private let text: Mode
    private let vector: Mode?

    /// Calibration and limits with or without the vector.
    private struct Mode: Sendable {
        let calibration: Calibration
        private let heard: AnswerLimits
        private let open: AnswerLimits

        init(
            _ description: DetectorDescription,
            _ mode: DetectorDescription.Mode,
            path: String
        ) throws(DetectorFileError) {
            calibration = Calibration(description, mode)
            heard = try AnswerLimits(mode.thresholds, isHeard: true, path: path)
            open = try AnswerLimits(mode.thresholds, isHeard: false, path: path)
        }

        func limits(_ occasion: AnswerOccasion) -> AnswerLimits { occasion.isHeard ? heard : open }
    }

    /// True if the messages' vectors are in the detector's space; otherwise it reads n-grams alone.
    package let usesVectors: Bool

    /// Reads a detector from its file; blocks for about 10 ms.
    ///
    /// - Parameter space: The space of the messages' vectors; nil without vectors.
    package init(path: String, space: String?) throws(DetectorFileError) {
        let file = try DetectorFile(path: path)
        let description = file.description
        guard description.purpose == "answers" else {
            throw .otherPurpose(path: path, found: description.purpose, wanted: "answers")
        }
        places = try HeadPositions("answer", in: description, path: path)
        guard places.labels.count == AnswerLabel.allCases.count, let mode = description.modes["text"] else {
            throw .description(path: path, fault: "a label or a mode is missing")
        }
        text = try Mode(description, mode, path: path)
        if let mode = description.modes["vector"] {
            vector = try Mode(description, mode, path: path)
        } else {
            vector = nil
        }
        usesVectors = vector != nil && space == description.space
        network = DetectorNetwork(file)
    }

    /// The description in the detector's file.
    package var description: DetectorDescription { network.description }

    /// Reads a message, with its vector, centred and of unit length, or by its words alone when that is empty.
    ///
    /// - Returns: Its meaning; nil when that is unclear.
    package func read(_ said: String, vector known: [Float], _ occasion: AnswerOccasion) -> AnswerReading? {
        guard said.utf8.count <= Self.longest else { return nil }
        let isMedicine = occasion.isMedicine
        let features = Self.features(of: said, isMedicine: isMedicine)
        let words = shares(features, nil, text)
        let sentences = SentenceSplitter.sentences(of: said)
        guard sentences.count <= Self.mostSentences else { return nil }
        let parts = sentences.count < 2 ? [] : sentences
        let fitting = usesVectors && known.count == description.dimension ? vector : nil
        let rule = AnswerRule(
            limits: (fitting ?? text).limits(occasion),
            wordLimits: text.limits(occasion),
            isMedicine: isMedicine
        )
        return rule.reading(
            whole: fitting.map { shares(features, known, $0) } ?? words,
            words: fitting == nil ? nil : words,
            sentences: parts.map { shares(Self.features(of: $0, isMedicine: isMedicine), nil, text) }
        )
    }

    /// Hashes a text behind the mark of a medicine or of another reminder, as training does.
    static func features(of text: String, isMedicine: Bool) -> HashedFeatures {
        DetectorText((isMedicine ? "% " : "@ ") + text).features
    }

    private func shares(_ features: HashedFeatures, _ vector: [Float]?, _ mode: Mode) -> AnswerShares {
        AnswerShares(mode.calibration.probabilities(network.outputs(of: features, vector: vector)), places)
    }
}
