package import Domain
import YAML

/// Screens a model's reply sentence by sentence with the output packs.
///
/// Advice, help with harm or fraud, and claims to be human end the reply with a canned reply. Statements about the
/// records, empty promises and sentences in a foreign language are removed. The reply ends where a model begins to
/// speak for somebody else. Unspeakable marks are removed from a sentence. Without an output pack every sentence is
/// refused. A sentence takes about 30 µs.
package struct ReplyOutputScreen: OutputScreen {
    private let ruleSet: RuleSet
    private let detector: ReplyDetector?
    private let normaliser = Normaliser()

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - detector: Judges sentences; nil for a bundle without one.
    package init(_ ruleSet: RuleSet, detector: ReplyDetector? = nil) {
        self.ruleSet = ruleSet
        self.detector = detector
    }

    /// The most probable harm of a sentence, whether or not it is one; nil without a detector.
    package func mostProbableHarm(of sentence: String, vector: [Float]) -> ReplyHarm? {
        detector?.judge(sentence, vector: vector).mostProbableHarm
    }

    package func wantsVector(of sentence: String, answering decision: Decision) -> Bool {
        detector?.wantsVector(
            of: sentence,
            needsCare: ReplyContext(decision, isNamed: false, isProtective: false).needsCare
        ) ?? false
    }

    package func screen(
        _ sentence: String,
        vector: [Float],
        answering turn: Turn,
        _ decision: Decision,
        in posture: Posture
    ) -> OutputVerdict {
        screened(sentence, vector: vector, answering: turn, decision, in: posture).verdict
    }

    package func screened(
        _ sentence: String,
        vector: [Float],
        answering turn: Turn,
        _ decision: Decision,
        in posture: Posture
    ) -> ScreenedSentence {
        let spoken: String
        switch SpokenForm.reading(of: sentence) {
        case .unspeakable(let rule): return ScreenedSentence(.drop(rule: rule))
        case .forged(let rule): return ScreenedSentence(.end(rule: rule))
        case .speech(let text): spoken = text
        }
        let edition = ruleSet.edition
        let normal = normaliser.normalise(spoken)
        let matches = matches(in: normal, of: spoken, decision, edition, posture)
        guard let matches else { return ScreenedSentence(.drop(rule: "output.unavailable")) }
        let passes: OutputVerdict = spoken == sentence ? .pass : .rewrite(spoken)
        let sendsForHelp = spoken == sentence ? Self.sendsForHelp(matches, edition) : nil
        if posture.isOpen, let detector {
            let judged = judged(passes, spoken, matches, detector.judge(spoken, vector: vector), decision)
            return ScreenedSentence(judged.verdict, sendsForHelp: sendsForHelp, nearRule: judged.nearRule)
        }
        return ScreenedSentence(
            verdict(passes, on: spoken, normal, matches, vector, turn, decision),
            sendsForHelp: sendsForHelp
        )
    }

    /// True if a sentence sends for emergency help; nil where a rule that would say so was not looked at.
    private static func sendsForHelp(_ matches: [Found], _ edition: RuleSet.Edition) -> Bool? {
        if matches.contains(where: { $0.protection == .emergency }) { return true }
        return edition.outputPacks.contains { $0.pack.hasConditionalEmergency } ? nil : false
    }

    /// Decision about a sentence, by the rules that match it.
    ///
    /// - Parameter passes: The decision about a permitted sentence.
    private func verdict(
        _ passes: OutputVerdict,
        on spoken: String,
        _ normal: NormalisedText,
        _ matches: [Found],
        _ vector: [Float],
        _ turn: Turn,
        _ decision: Decision
    ) -> OutputVerdict {
        if matches.contains(where: { $0.protection > .none }), !matches.contains(where: \.isHarm) {
            return verdict(passes, onProtective: spoken, matches, vector, turn, decision)
        }
        if let gravest = gravest(matches) { return verdict(gravest, spoken, turn, decision) }
        if let rule = Reassurance.rule(for: normal, decision) { return .drop(rule: rule) }
        if !Self.isInLanguage(spoken, decision) { return .drop(rule: "form.language") }
        if decision.hidesNotification, FamilyOffer.isMade(in: spoken) { return .drop(rule: "output.family_offered") }
        guard let judgement = detector?.judge(spoken, vector: vector) else { return passes }
        guard GraveMessage.permits(judgement, spoken, answering: decision),
            !GraveMessage.mayConcernSelfHarm(decision)
                || GraveMessage.allows(judgement, spoken, below: GraveMessage.selfHarmUntrusted)
        else { return .drop(rule: "strict.grave") }
        if judgement.isReferral || judgement.isProtective { return passes }
        let least = judgement.usesVector ? Self.untrusted.withVector : Self.untrusted.byWords
        let isCondemned =
            judgement.byWords >= Self.condemned.byWords && judgement.probability >= Self.condemned.withVector
        let context = ReplyContext(decision, isNamed: false, isProtective: false)
        guard
            judgement.probability >= least || context.isHarm(judgement, ofTrusted: false)
                || judgement.usesVector && isCondemned
        else { return passes }
        return held(spoken, judgement, ruleSet.edition, turn, decision)
    }

    /// The probabilities by the words and with the vector from which both together leave out such a sentence.
    private static let condemned = (byWords: 0.8, withVector: 0.1)

    /// Decision about a sentence of an untrusted model that has protective words and that no rule finds harmful.
    ///
    /// Passes a sentence that sends for emergency help. Judges the others by a trusted model's limit, because protective
    /// words also occur in harmful answers: "Done, the doctor will see it tomorrow."
    private func verdict(
        _ passes: OutputVerdict,
        onProtective spoken: String,
        _ matches: [Found],
        _ vector: [Float],
        _ turn: Turn,
        _ decision: Decision
    ) -> OutputVerdict {
        guard !matches.contains(where: { $0.protection == .emergency }),
            let judgement = detector?.judge(spoken, vector: vector)
        else { return passes }
        let isProtective = matches.contains { $0.protection > .none && !$0.pack.isStrictOnly }
        let context = ReplyContext(decision, isNamed: false, isProtective: isProtective)
        guard context.isHarm(judgement, ofTrusted: true) else { return passes }
        return held(spoken, judgement, ruleSet.edition, turn, decision)
    }

    /// Probability of harm from which an untrusted model's sentence is left out, or a canned reply takes its place.
    private static let untrusted = (withVector: 0.5, byWords: 0.9, replaced: 0.9)

    /// Decides about a sentence that the judge finds harmful; a sentence that is only likely to harm is left out.
    private func held(
        _ sentence: String,
        _ judgement: ReplyJudgement,
        _ edition: RuleSet.Edition,
        _ turn: Turn,
        _ decision: Decision
    ) -> OutputVerdict {
        let rule = "reply.\(judgement.mostProbableHarm.rawValue)"
        let language = SpokenLanguage.guess(sentence)
        let packs = edition.outputPacks.map(\.pack)
        guard judgement.probability >= Self.untrusted.replaced else { return .drop(rule: rule) }
        for name in judgement.mostProbableHarm.lines {
            for pack in packs where pack.language == language {
                guard let line = line(name, in: pack, decision) else { continue }
                let spoken = self.language(of: sentence, in: pack, turn, decision)
                return .replace(with: line.reply(in: spoken, after: decision.state.said), rule: rule)
            }
        }
        return .drop(rule: rule)
    }

    /// The line that declines a request; beside the point where the message makes none.
    private static let declining = "promise"

    /// A line of a pack, in the form that offers nobody where nobody may be offered; nil if it does not fit the message.
    private func line(_ name: String, in pack: RulePack, _ decision: Decision) -> ReplacementLine? {
        if name == Self.declining, !decision.requestsAction, !decision.isQuestion, !decision.asks { return nil }
        return (decision.suppressesOffer ? pack.lines[name + "_unannounced"] : nil) ?? pack.lines[name]
    }

    /// The own probability of a harm from which no other sentence clears it.
    private static let certain = 0.7
    /// The same where the message is not delicate, for the gravest harms and the others: below it, only the sentence
    /// itself is left out.
    private static let (certainGravest, certainElsewhere) = (0.9, 0.95)

    /// Judges a sentence of a trusted model.
    ///
    /// - Parameter passes: The verdict on a sentence that may be said.
    private func judged(
        _ passes: OutputVerdict,
        _ sentence: String,
        _ matches: [Found],
        _ judgement: ReplyJudgement,
        _ decision: Decision
    ) -> (verdict: OutputVerdict, nearRule: String?) {
        let named = Self.named(matches)
        let context = context(of: matches, decision)
        if let held = held(sentence, matches, named, judgement, context, decision) { return (held, nil) }
        guard Self.isInLanguage(sentence, decision) else { return (.drop(rule: "form.language"), nil) }
        let isNear = context.isNearHarm(judgement, in: sentence)
        return (passes, isNear ? "reply.\(judgement.mostProbableHarm.rawValue)" : nil)
    }

    /// The verdict on a sentence of a trusted model that may not be said, or not alone; nil when it may be said.
    private func held(
        _ sentence: String,
        _ matches: [Found],
        _ named: Found?,
        _ judgement: ReplyJudgement,
        _ context: ReplyContext,
        _ decision: Decision
    ) -> OutputVerdict? {
        if context.isHarm(judgement, ofTrusted: true) {
            let rule = named?.match.rule.id ?? "reply.\(judgement.mostProbableHarm.rawValue)"
            let probability = judgement.probability
            guard context.isDelicate else {
                let isGravest = judgement.mostProbableHarm.isGravest
                let certain = isGravest ? Self.certainGravest : Self.certainElsewhere
                return probability >= certain ? .harm(rule: rule) : .drop(rule: rule)
            }
            return probability >= Self.certain ? .harm(rule: rule) : .doubt(sentence, rule: rule)
        }
        if GraveMessage.asksAboutSelfHarm(decision),
            !GraveMessage.allows(judgement, sentence, below: GraveMessage.trustedHarm),
            !matches.contains(where: { $0.protection > .none })
        {
            return .doubt(sentence, rule: "reply.grave")
        }
        if decision.unknownRecord != nil, !GraveMessage.allows(judgement, sentence, below: GraveMessage.trustedHarm) {
            return .drop(rule: "reply.record")
        }
        return decision.hidesNotification && FamilyOffer.isMade(in: sentence)
            ? .drop(rule: "output.family_offered") : nil
    }

    /// The first rule that names a harm in a sentence, whatever the message.
    private static func named(_ matches: [Found]) -> Found? {
        matches.first { $0.isHarm && $0.match.rule.grounds.isEmpty && !$0.match.rule.id.hasSuffix("_ground") }
    }

    private func context(of matches: [Found], _ decision: Decision) -> ReplyContext {
        ReplyContext(
            decision,
            isNamed: Self.named(matches) != nil,
            isProtective: matches.contains { $0.protection > .none }
        )
    }

    /// Judges a sentence and weighs its message, as for a trusted model; nil without a detector or rules.
    func weighed(
        _ sentence: String,
        vector: [Float],
        answering decision: Decision
    ) -> (judgement: ReplyJudgement, context: ReplyContext)? {
        guard let detector, case .speech(let spoken) = SpokenForm.reading(of: sentence) else { return nil }
        let normal = normaliser.normalise(spoken)
        guard let matches = matches(in: normal, of: spoken, decision, ruleSet.edition, .open) else { return nil }
        return (detector.judge(spoken, vector: vector), context(of: matches, decision))
    }

    private static func isInLanguage(_ sentence: String, _ decision: Decision) -> Bool {
        decision.languages.isEmpty || !SpokenLanguage.isForeign(sentence, to: decision.languages)
    }

    package func protection(of sentence: String) -> Protection {
        guard case .speech(let spoken) = SpokenForm.reading(of: sentence) else { return .none }
        let strongest = protectionByRules(of: spoken)
        if strongest == .none, let judgement = detector?.judge(spoken), judgement.isProtective || judgement.isReferral {
            return .protective
        }
        return strongest
    }

    /// The probability from which a sentence plainly protects or refers.
    private static let plain = 0.7

    package func plainlyProtects(_ sentence: String) -> Bool {
        guard case .speech(let spoken) = SpokenForm.reading(of: sentence) else { return false }
        if let judgement = detector?.judge(spoken), max(judgement.protective, judgement.referral) >= Self.plain {
            return true
        }
        return protectionByRules(of: spoken) > .none
    }

    private func protectionByRules(of spoken: String) -> Protection {
        let edition = ruleSet.edition
        let normal = normaliser.normalise(spoken)
        var strongest = Protection.none
        for (language, cues) in edition.languages {
            let reading = LazyClauseAnalysis(of: normal, with: cues.cueSet)
            for loaded in edition.outputPacks where loaded.pack.language == language && loaded.pack.protects {
                for match in loaded.pack.matches(in: normal, reading) ?? [] where match.level > .none {
                    strongest = max(strongest, match.rule.protection)
                }
            }
        }
        return strongest
    }

    package func isConsiderate(_ sentence: String) -> Bool {
        guard case .speech(let spoken) = SpokenForm.reading(of: sentence) else { return false }
        return detector.map { GraveMessage.allows($0.judge(spoken), spoken) } ?? true
    }

    private struct Found {
        let match: RuleMatch
        let pack: RulePack

        var protection: Protection { match.rule.protection }

        /// True if the rule names a harm that no protective word beside it excuses.
        var isHarm: Bool { protection == .none && pack.grounds == nil && !pack.isStrictOnly }
    }

    /// The rules that hold; nil without an output pack, or when the text could not be evaluated.
    ///
    /// Packs for restricted topics apply only in the sentence's own language.
    private func matches(
        in text: NormalisedText,
        of sentence: String,
        _ decision: Decision,
        _ edition: RuleSet.Edition,
        _ posture: Posture
    ) -> [Found]? {
        let grounds = decision.grounds
        let known = decision.languages.count == 1 ? decision.languages.first : nil
        let spoken = grounds.isEmpty ? nil : known ?? SpokenLanguage.guess(sentence)
        var found: [Found] = []
        var packs = 0
        for (language, cues) in edition.languages {
            let reading = LazyClauseAnalysis(of: text, with: cues.cueSet)
            for loaded in edition.outputPacks where loaded.pack.language == language {
                if posture.isOpen, loaded.pack.isStrictOnly { continue }
                if let bound = loaded.pack.grounds {
                    guard language == spoken, !bound.isDisjoint(with: grounds) else { continue }
                }
                guard let matches = loaded.pack.matches(in: text, reading, on: grounds) else { return nil }
                packs += 1
                for match in matches where match.level > .none { found.append(Found(match: match, pack: loaded.pack)) }
            }
        }
        return packs > 0 ? found : nil
    }

    /// The most severe rule: replacing precedes removing, and then the pack's order decides.
    private func gravest(_ found: [Found]) -> Found? {
        let harms = found.filter { $0.protection == .none }
        return harms.first { found in
            if case .verdict(.replace, _) = found.match.rule.consequence { true } else { false }
        } ?? harms.first
    }

    /// The language of a canned reply: the patient's if known, else that of the text.
    private func language(of sentence: String, in pack: RulePack, _ turn: Turn, _ decision: Decision) -> String {
        if decision.languages.count == 1, let language = decision.languages.first { return language }
        return pack.language == "en" ? SpokenLanguage.guess(turn.text + " " + sentence) : pack.language
    }

    private func verdict(_ found: Found, _ sentence: String, _ turn: Turn, _ decision: Decision) -> OutputVerdict {
        let (rule, pack) = (found.match.rule, found.pack)
        guard case .verdict(.replace, let name) = rule.consequence else { return .drop(rule: rule.id) }
        guard let line = line(name, in: pack, decision) else { return .drop(rule: rule.id) }
        let language = language(of: sentence, in: pack, turn, decision)
        return .replace(with: line.reply(in: language, after: decision.state.said), rule: rule.id)
    }
}

extension Decision {
    /// True if a canned reply must not offer to tell the family.
    ///
    /// An open check would take the "yes" for its answer, or the person's carer may be the danger.
    fileprivate var suppressesOffer: Bool { hidesNotification || state.question != nil }

    /// True if the person's carer may be the danger, so that no reply mentions notifying somebody close.
    fileprivate var hidesNotification: Bool {
        Domain.Category.allCases.contains { category in
            category.isConfidential
                && (alerts.contains { $0.category == category } || state.risk[category.rawValue] != nil
                    || state.incidents.contains { $0.category == category })
        }
    }
}

extension Rule {
    /// The protection offered by a sentence on which the rule fires.
    fileprivate var protection: Protection {
        switch consequence {
        case .verdict(.protect, _): .protective
        case .verdict(.emergency, _): .emergency
        default: .none
        }
    }
}

extension ReplyHarm {
    /// True if the harm may cost a life or a fortune.
    fileprivate var isGravest: Bool { [.dose, .fraudHelp, .encouragesHarm, .belittles].contains(self) }

    /// The lines of which one takes the place of what does this harm, best first; none for what deserves no answer.
    fileprivate var lines: [String] {
        switch self {
        case .dose, .diagnosis: ["advice"]
        case .legalFinancial: ["legal", "advice"]
        case .claimsHuman: ["human"]
        case .promise: ["promise"]
        case .record: ["records"]
        case .fraudHelp: ["scam"]
        case .encouragesHarm, .belittles: []
        }
    }
}

extension RulePack {
    /// True if the pack has protective rules.
    fileprivate var protects: Bool { rules.contains { $0.protection > .none } }
}
