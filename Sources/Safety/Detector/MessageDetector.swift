package import Conversation

/// Hears danger, fraud and the act of speech in a message: a network over hashed n-grams and the message's vector, trained
/// on the project's corpus.
///
/// About 20 µs for a spoken sentence; only the first 4,000 characters are read. docs/detector.md tells of it.
package final class MessageDetector: Sendable {
    private let network: DetectorNetwork
    private let heads: MessageHeads
    private let text: Mode
    private let vector: Mode?

    /// Calibration and thresholds with the vector, or without.
    private struct Mode: Sendable {
        /// From which probabilities a danger of a level counts.
        struct Levels: Sendable {
            /// The gravest level first.
            private let thresholds: [(level: Level, least: Double)]

            init(_ mode: DetectorDescription.Mode, _ sureness: String) {
                thresholds = [Level.critical, .high, .medium, .low].compactMap { level in
                    mode.thresholds["\(level.rawValue).\(sureness)"].map { (level, $0) }
                }
            }

            /// The gravest level whose probability passes its threshold; nil when none does.
            func level(of danger: LevelProbabilities) -> Level? {
                thresholds.first { danger[$0.level] >= $0.least }?.level
            }
        }

        let calibration: Calibration
        let confident: Levels
        let suspected: Levels
        let confidentScam: Double
        let suspectedScam: Double

        init(_ description: DetectorDescription, _ mode: DetectorDescription.Mode) {
            calibration = Calibration(description, mode)
            confident = Levels(mode, "confident")
            suspected = Levels(mode, "suspected")
            confidentScam = mode.thresholds["scam.confident"] ?? .infinity
            suspectedScam = mode.thresholds["scam.suspected"] ?? .infinity
        }
    }

    /// Whether the vectors that messages have are of the space that it was trained on; without them it reads n-grams alone.
    package let usesVectors: Bool

    /// Reads a detector from its file; blocks for about 40 ms.
    ///
    /// - Parameter space: The space of the vectors that messages have; nil when there are none.
    package init(path: String, space: String?) throws(DetectorFileError) {
        let file = try DetectorFile(path: path)
        guard file.description.purpose == "messages" else {
            throw .otherPurpose(path: path, found: file.description.purpose, wanted: "messages")
        }
        heads = try MessageHeads(file.description, path: path)
        network = DetectorNetwork(file)
        guard let text = file.description.modes["text"] else {
            throw .description(path: path, fault: "a mode is missing")
        }
        self.text = Mode(file.description, text)
        vector = file.description.modes["vector"].map { Mode(file.description, $0) }
        usesVectors = vector != nil && space == file.description.space
    }

    /// What the file says of itself.
    package var description: DetectorDescription { network.description }

    /// Reads a message without its vector, by thresholds of its own.
    package func detect(_ text: String) -> MessageReading { detect(DetectorText(text)) }

    /// Reads a message with its vector, centred and of unit length.
    ///
    /// A vector of another length than the trained ones is not looked at, and the reading says so.
    package func detect(_ text: String, vector: [Float]) -> MessageReading {
        detect(DetectorText(text), vector: vector)
    }

    /// Reads a message that has been hashed, with its vector when it has one.
    package func detect(_ text: DetectorText, vector: [Float]? = nil) -> MessageReading {
        let vector = fitting(vector)
        let mode = vector == nil ? self.text : self.vector ?? self.text
        let numbers = network.outputs(of: text.features, vector: vector)
        return MessageReading(mode.calibration.probabilities(numbers), heads, usesVector: vector != nil)
    }

    /// What is found and what is merely suspected, by the thresholds of the file.
    ///
    /// - Parameter text: The message, for the place of the finding: all of it.
    package func findings(of reading: MessageReading, in text: String) -> (confident: [Finding], suspected: [Finding]) {
        let mode = reading.usesVector ? vector ?? self.text : self.text
        var confident: [Finding] = []
        var suspected: [Finding] = []
        let length = text.utf8.count
        if let level = mode.confident.level(of: reading.danger) {
            confident.append(finding(level, reading, reading.category, reading.danger[level], length))
        }
        let found = confident.first?.level ?? .none
        if found < .medium, let level = mode.suspected.level(of: reading.danger) {
            suspected.append(finding(level, reading, reading.category, reading.danger[level], length))
        }
        if reading.scam >= mode.confidentScam {
            confident.append(finding(reading.scamLevel, reading, .scam, reading.scam, length))
        } else if reading.scam >= mode.suspectedScam {
            suspected.append(finding(reading.scamLevel, reading, .scam, reading.scam, length))
        }
        return (confident, suspected)
    }

    /// The n-grams that weighed most in a danger of medium or above, and in a fraud.
    package func explanation(
        of text: String,
        vector: [Float]? = nil,
        most: Int = 12
    ) -> (danger: [WeighedFeature], scam: [WeighedFeature]) {
        let read = DetectorText(text)
        let vector = fitting(vector)
        return (
            network.explanation(read, vector: vector, output: heads.danger.medium, most: most),
            network.explanation(read, vector: vector, output: heads.scam, most: most)
        )
    }

    private func fitting(_ vector: [Float]?) -> [Float]? {
        guard usesVectors, let vector, vector.count == description.dimension else { return nil }
        return vector
    }

    private func finding(
        _ level: Level,
        _ reading: MessageReading,
        _ category: Conversation.Category,
        _ confidence: Double,
        _ length: Int
    ) -> Finding {
        Finding(
            level: level,
            category: category,
            rule: "detector.\(category.rawValue)",
            span: 0..<length,
            subject: reading.subject == .`self` ? .`self` : .other,
            tense: reading.time == .past ? .past : .now,
            confidence: confidence
        )
    }
}
