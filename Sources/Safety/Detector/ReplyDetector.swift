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
    private let calibration: Calibration
    private let harms: HeadPlaces<ReplyHarm>
    private let kinds: HeadPlaces<ReplyKind>
    private let bad: Int
    private let protective: Int
    private let referral: Int
    private let least: (bad: Double, protective: Double, referral: Double)

    /// The kinds of sentences that may be said.
    private enum ReplyKind: String, Sendable {
        case protective, referral
        case generalFact = "general_fact"
        case empathy, question, ordinary
        case aboutSelf = "about_self"
        case alerting
    }

    /// Reads a detector from its file; blocks for about 20 ms.
    package init(path: String) throws(DetectorFileError) {
        let file = try DetectorFile(path: path)
        let description = file.description
        guard description.purpose == "replies" else {
            throw .otherPurpose(path: path, found: description.purpose, wanted: "replies")
        }
        guard let mode = description.modes["text"], let bad = description.place(of: "bad", in: "bad"),
            let protective = description.place(of: "protective", in: "kind"),
            let referral = description.place(of: "referral", in: "kind")
        else { throw .description(path: path, fault: "a mode or a head is missing") }
        (self.bad, self.protective, self.referral) = (bad, protective, referral)
        harms = try HeadPlaces("kind", in: description, path: path)
        kinds = try HeadPlaces("kind", in: description, path: path)
        calibration = Calibration(description, mode)
        network = DetectorNetwork(file)
        func threshold(_ name: String) -> Double { mode.thresholds[name] ?? .infinity }
        least = (threshold("bad"), threshold("protective"), threshold("referral"))
    }

    /// What the file says of itself.
    package var description: DetectorDescription { network.description }

    /// Judges one sentence.
    package func judge(_ sentence: String) -> ReplyJudgement {
        let found = calibration.probabilities(network.outputs(of: DetectorText(sentence).features, vector: nil))
        let isBad = found[bad] >= least.bad
        let best = kinds.likeliest(found)
        let isProtective = found[protective] >= least.protective
        let isReferral = found[referral] >= least.referral
        let likeliest = harms.likeliest(found)
        return ReplyJudgement(
            harm: isBad && !(isProtective || isReferral) ? likeliest : nil,
            probability: found[bad],
            likeliestHarm: likeliest,
            isProtective: isProtective || !isBad && best == .protective,
            isReferral: isReferral || !isBad && best == .referral
        )
    }

    /// The n-grams that weighed most in its being harmful.
    package func explanation(of sentence: String, most: Int = 12) -> [WeighedFeature] {
        network.explanation(DetectorText(sentence), vector: nil, output: bad, most: most)
    }
}
