import Domain

/// The quality of the screens on labelled messages.
package struct ScreenReport: Sendable, Equatable, Encodable {
    /// A labelled message with its screening verdict.
    package typealias Screened = (message: LabelledMessage, verdict: ScreenVerdict)

    /// The messages labelled as scam or not.
    package struct Scams: Sendable, Equatable, Encodable {
        /// All messages.
        package let all: Detection
        /// By source.
        package let bySource: [String: Detection]
        /// By kind.
        package let byKind: [String: Detection]
        /// By person concerned; empty when no file has this field.
        package let bySubject: [String: Detection]
        /// By time; empty when no file has this field.
        package let byTime: [String: Detection]
        /// The share of correct decisions of each deciding rule.
        package let byRule: [String: Proportion]
    }

    /// The messages labelled with a level.
    package struct Alerts: Sendable, Equatable, Encodable {
        /// Detection of medium or above.
        package let mediumOrAbove: Detection
        /// Detection of high or above.
        package let highOrAbove: Detection
        /// The share of messages at level none that got medium or above.
        package let ordinaryFlagged: Proportion
        /// The share of critical messages that got less than high.
        package let criticalBelowHigh: Proportion
        /// The share of messages that got their level or a neighbouring one.
        package let withinOneLevel: Proportion
        /// The number of messages for each true and assigned level.
        package let confusion: [String: [String: Int]]
        /// Medium or above by kind.
        package let byKind: [String: Detection]
        /// Medium or above by source.
        package let bySource: [String: Detection]
        /// The share of messages at each true level that got medium or above.
        package let byLevel: [String: Proportion]
        /// Medium or above by person concerned; empty when no file has this field.
        package let bySubject: [String: Detection]
        /// Medium or above by time; empty when no file has this field.
        package let byTime: [String: Detection]
        /// The share of correct decisions of each rule that decided on medium or above.
        package let byRule: [String: Proportion]
    }

    /// The messages labelled as scam or not; nil when there are none.
    package let scams: Scams?
    /// The messages labelled with a level; nil when there are none.
    package let alerts: Alerts?

    /// Counts screened messages.
    package init(_ screened: [Screened]) {
        let scams = screened.compactMap(Pair.init(scam:))
        let alerts = screened.compactMap(LevelPair.init)
        self.scams = scams.isEmpty ? nil : Scams(scams)
        self.alerts = alerts.isEmpty ? nil : Alerts(alerts)
    }
}

/// A message with its truth and detection.
private struct Pair {
    let message: LabelledMessage
    let isThere: Bool
    let isFound: Bool
    let rule: String?

    init(_ message: LabelledMessage, isThere: Bool, isFound: Bool, rule: String?) {
        self.message = message
        self.isThere = isThere
        self.isFound = isFound
        self.rule = rule
    }

    init?(scam screened: ScreenReport.Screened) {
        guard case .scam(let isThere) = screened.message.truth else { return nil }
        let scam = screened.verdict.scam
        self.init(screened.message, isThere: isThere, isFound: scam.flag, rule: scam.rule)
    }
}

/// A message with its true and its assigned level.
private struct LevelPair {
    let message: LabelledMessage
    let truth: Level
    let found: Level
    let rule: String?

    init?(_ screened: ScreenReport.Screened) {
        guard case .alert(let truth) = screened.message.truth else { return nil }
        message = screened.message
        self.truth = truth
        found = screened.verdict.alert.level
        rule = screened.verdict.alert.rule
    }

    func pair(from level: Level) -> Pair {
        Pair(message, isThere: truth >= level, isFound: found >= level, rule: found >= level ? rule : nil)
    }

    var distance: Int {
        let levels = Level.allCases
        return abs((levels.firstIndex(of: truth) ?? 0) - (levels.firstIndex(of: found) ?? 0))
    }
}

extension [Pair] {
    fileprivate var detection: Detection { Detection(map { ($0.isThere, $0.isFound) }) }

    fileprivate func detections(by name: (LabelledMessage) -> String) -> [String: Detection] {
        Dictionary(grouping: self) { name($0.message) }.mapValues(\.detection)
    }

    /// The detections by an optional field; empty when no message has it.
    fileprivate func detections(byKnown name: (LabelledMessage) -> String) -> [String: Detection] {
        contains { !name($0.message).isEmpty } ? detections(by: name) : [:]
    }

    fileprivate var rules: [String: Proportion] {
        Dictionary(grouping: filter { $0.rule != nil }) { $0.rule ?? "" }
            .mapValues { pairs in Proportion(pairs.count(where: \.isThere), of: pairs.count) }
    }
}

extension ScreenReport.Scams {
    fileprivate init(_ pairs: [Pair]) {
        self.init(
            all: pairs.detection,
            bySource: pairs.detections(by: \.source),
            byKind: pairs.detections(by: \.kind),
            bySubject: pairs.detections(byKnown: \.subject),
            byTime: pairs.detections(byKnown: \.time),
            byRule: pairs.rules
        )
    }
}

extension ScreenReport.Alerts {
    fileprivate init(_ pairs: [LevelPair]) {
        let medium = pairs.map { $0.pair(from: .medium) }
        let ordinary = pairs.filter { $0.truth == .none }
        let critical = pairs.filter { $0.truth == .critical }
        let confusion = Dictionary(grouping: pairs) { $0.truth.rawValue }
            .mapValues { pairs in Dictionary(grouping: pairs) { $0.found.rawValue }.mapValues(\.count) }
        self.init(
            mediumOrAbove: medium.detection,
            highOrAbove: pairs.map { $0.pair(from: .high) }.detection,
            ordinaryFlagged: Proportion(ordinary.count { $0.found >= .medium }, of: ordinary.count),
            criticalBelowHigh: Proportion(critical.count { $0.found < .high }, of: critical.count),
            withinOneLevel: Proportion(pairs.count { $0.distance <= 1 }, of: pairs.count),
            confusion: confusion,
            byKind: medium.detections(by: \.kind),
            bySource: medium.detections(by: \.source),
            byLevel: Dictionary(grouping: pairs) { $0.truth.rawValue }
                .mapValues { pairs in Proportion(pairs.count { $0.found >= .medium }, of: pairs.count) },
            bySubject: medium.detections(byKnown: \.subject),
            byTime: medium.detections(byKnown: \.time),
            byRule: medium.rules
        )
    }
}
