package import Conversation

/// Hears danger, fraud and the act of speech in a message: a network over hashed n-grams and the message's vector, trained
/// on the project's corpus.
///
/// About 15 µs for a spoken sentence; only the first 4,000 characters are read. docs/detector.md tells of it.
package final class MessageDetector: Sendable {
    private let network: DetectorNetwork
    private let text: DetectorDescription.Mode
    private let vector: DetectorDescription.Mode?

    /// Whether the vectors that messages have are of the space that it was trained on; without them it reads n-grams alone.
    package let usesVectors: Bool

    /// Reads a detector from its file; blocks for about 20 ms.
    ///
    /// - Parameter space: The space of the vectors that messages have; nil when there are none.
    package init(path: String, space: String?) throws(DetectorFileError) {
        let file = try DetectorFile(path: path)
        guard file.description.purpose == "messages" else {
            throw .otherPurpose(path: path, found: file.description.purpose, wanted: "messages")
        }
        network = DetectorNetwork(file)
        guard let text = file.description.modes["text"] else {
            throw .description(path: path, fault: "a mode is missing")
        }
        self.text = text
        vector = file.description.modes["vector"]
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
        return MessageReading(Heads(numbers, description, mode: mode), usesVector: vector != nil)
    }

    /// What is found and what is merely suspected, by the thresholds of the file.
    ///
    /// - Parameter text: The message, for the place of the finding: all of it.
    package func findings(of reading: MessageReading, in text: String) -> (confident: [Finding], suspected: [Finding]) {
        let mode = reading.usesVector ? vector ?? self.text : self.text
        var confident: [Finding] = []
        var suspected: [Finding] = []
        let length = text.utf8.count
        if let level = level(of: reading.danger, mode, "confident") {
            confident.append(finding(level, reading, reading.category, reading.danger[level] ?? 0, length))
        }
        let found = confident.first?.level ?? .none
        if found < .medium, let level = level(of: reading.danger, mode, "suspected") {
            suspected.append(finding(level, reading, reading.category, reading.danger[level] ?? 0, length))
        }
        if reading.scam >= threshold(mode, "scam.confident") {
            confident.append(finding(scamLevel(reading), reading, .scam, reading.scam, length))
        } else if reading.scam >= threshold(mode, "scam.suspected") {
            suspected.append(finding(scamLevel(reading), reading, .scam, reading.scam, length))
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
        func weighed(_ head: String, _ label: String) -> [WeighedFeature] {
            guard let output = description.output(of: label, in: head) else { return [] }
            return network.explanation(read, vector: vector, output: output, most: most)
        }
        return (weighed("danger", "medium"), weighed("scam", "scam"))
    }

    private func fitting(_ vector: [Float]?) -> [Float]? {
        guard usesVectors, let vector, vector.count == description.dimension else { return nil }
        return vector
    }

    /// The gravest level whose probability passes its threshold; nil when none does.
    private func level(of danger: [Level: Double], _ mode: DetectorDescription.Mode, _ sureness: String) -> Level? {
        Level.allCases.reversed().first { level in
            level > .none && (danger[level] ?? 0) >= threshold(mode, "\(level.rawValue).\(sureness)")
        }
    }

    private func scamLevel(_ reading: MessageReading) -> Level {
        if reading.scamDanger[.high] ?? 0 >= 0.5 { return .high }
        return reading.scamDanger[.medium] ?? 0 >= 0.3 ? .medium : .low
    }

    private func threshold(_ mode: DetectorDescription.Mode, _ name: String) -> Double {
        mode.thresholds[name] ?? .infinity
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

extension DetectorDescription {
    /// The place of a label among the numbers of all heads.
    func output(of label: String, in name: String) -> Int? {
        var first = 0
        for head in heads {
            if head.name == name, let place = head.labels.firstIndex(of: label) { return first + place }
            first += head.labels.count
        }
        return nil
    }
}
