import Conversation
import Domain
import Foundation
import Safety

/// Measures the screens on the exemplars' sentences, and on texts that were made to take long.
struct ScreenSpeed {
    private let texts: [String]
    private let screen: RuleScreen
    private let output: ReplyOutputScreen
    private let detector: MessageDetector
    private let folder: String

    init(folder: String) throws {
        self.folder = folder
        let book = try RuleSet(folder: folder + "/rules")
        let reader = try ExemplarReader(folder: folder + "/exemplars")
        texts = reader.exemplars.map(\.text)
        screen = RuleScreen(book)
        output = ReplyOutputScreen(book)
        detector = try MessageDetector(path: folder + "/detector/messages.detector", space: nil)
    }

    var report: String {
        let normaliser = Normaliser()
        let hostile = HostileTexts.all
        return """
            \(texts.count) sentences
            normaliser            \(Timings(texts) { _ = normaliser.normalise($0) }.line)
            rules                 \(Timings(texts) { _ = screen.screen($0) }.line)
            output                \(Timings(texts) { say($0) }.line)
            rules and output      \(Timings(texts) { _ = screen.screen($0); say($0) }.line)
            detector              \(Timings(texts) { _ = detector.detect($0) }.line)
            \(hostile.count) hostile texts of 4,000 characters
            normaliser            \(Timings(hostile) { _ = normaliser.normalise($0) }.line)
            rules                 \(Timings(hostile) { _ = screen.screen($0) }.line)
            output                \(Timings(hostile) { say($0) }.line)
            slowest               \(slowest(of: hostile))
            an edited pack        \(reloadLine)
            """
    }

    private var reloadLine: String {
        do {
            return try ReloadTime(rules: folder + "/rules").report(texts)
        } catch {
            return "not measured: \(error)"
        }
    }

    private func slowest(of texts: [String]) -> String {
        let timed = texts.map { text in (text.prefix(12), Timings([text]) { _ = screen.screen($0) }) }
        let slowest = timed.sorted { $0.1.longest > $1.1.longest }.prefix(4)
        return slowest.map { "\(String($0.0).debugDescription) \($0.1.longest)" }.joined(separator: ", ")
    }

    private func say(_ sentence: String) {
        let now = Date(timeIntervalSince1970: 0)
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: sentence, spokenAt: now, receivedAt: now)
        let decision = Decision(
            level: .none,
            alerts: [],
            reportsScam: false,
            state: ConversationState()
        )
        _ = output.screen(sentence, answering: turn, decision, in: .strict(reason: .untested))
    }
}
