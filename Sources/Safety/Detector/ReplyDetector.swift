/// A harm for which a sentence is left out of a reply.
package enum ReplyHarm: String, Sendable, Codable, CaseIterable {
    case dose, diagnosis
    case legalFinancial = "legal_financial"
    case claimsHuman = "claims_human"
    case promise, record
    case fraudHelp = "fraud_help"
    case encouragesHarm = "encourages_harm"
    case belittles
}

/// What the detector makes of a sentence of a reply.
package struct ReplyJudgement: Sendable, Equatable {
    /// The harm that the sentence does; nil when it may be said.
    package let harm: ReplyHarm?
    /// The probability that it does a harm.
    package let probability: Double
    /// What its harm would be, were it one, whether or not it is.
    package let likeliestHarm: ReplyHarm
    /// Whether its words protect: send for help, outside, away from a caller.
    package let isProtective: Bool
    /// Whether it refers to somebody who can tell.
    package let isReferral: Bool
}

/// Judges the sentences of replies: a network over hashed n-grams alone, trained on the project's corpus of replies.
///
/// About 8 µs for a sentence; only the first 4,000 characters are read.
package final class ReplyDetector: Sendable {
    private let network: DetectorNetwork
    private let mode: DetectorDescription.Mode

    /// Reads a detector from its file; blocks for about 20 ms.
    package init(path: String) throws(DetectorFileError) {
        let file = try DetectorFile(path: path)
        guard file.description.purpose == "replies" else {
            throw .otherPurpose(path: path, found: file.description.purpose, wanted: "replies")
        }
        network = DetectorNetwork(file)
        guard let mode = file.description.modes["text"] else {
            throw .description(path: path, fault: "a mode is missing")
        }
        self.mode = mode
    }

    /// What the file says of itself.
    package var description: DetectorDescription { network.description }

    /// Judges one sentence.
    package func judge(_ sentence: String) -> ReplyJudgement {
        let numbers = network.outputs(of: DetectorText(sentence).features, vector: nil)
        let heads = Heads(numbers, description, mode: mode)
        let probability = heads.probability(of: "bad", in: "bad")
        let likeliest = heads.likeliest(in: "kind", of: ReplyHarm.self) ?? .dose
        let kinds = heads.labels(of: "kind")
        let good = kinds.filter { ReplyHarm(rawValue: $0.label) == nil }
        let best = good.max { $0.probability < $1.probability }?.label
        let isProtective = heads.probability(of: "protective", in: "kind") >= threshold("protective")
        let isReferral = heads.probability(of: "referral", in: "kind") >= threshold("referral")
        let isBad = probability >= threshold("bad")
        return ReplyJudgement(
            harm: isBad && !(isProtective || isReferral) ? likeliest : nil,
            probability: probability,
            likeliestHarm: likeliest,
            isProtective: isProtective || !isBad && best == "protective",
            isReferral: isReferral || !isBad && best == "referral"
        )
    }

    /// The n-grams that weighed most in its being harmful.
    package func explanation(of sentence: String, most: Int = 12) -> [WeighedFeature] {
        guard let output = description.output(of: "bad", in: "bad") else { return [] }
        return network.explanation(DetectorText(sentence), vector: nil, output: output, most: most)
    }

    private func threshold(_ name: String) -> Double { mode.thresholds[name] ?? .infinity }
}
