import Runtime
import Testing

@testable import Conversation
@testable import Domain

/// Notices to the operator of a screen whose parts do not work.
struct ScreenNoticesTests {
    private let sink = MemoryLogSink()
    private let notices: ScreenFailureLog

    init() {
        notices = ScreenFailureLog(Log(to: sink))
    }

    @Test func `a part that is down is told once, and once more when all is well again`() {
        for _ in 0..<5 { notices.note([]) }
        for _ in 0..<5 { notices.note(["exemplars: no head"]) }
        for _ in 0..<5 { notices.note([]) }
        #expect(sink.lines.map(\.event) == ["screen_part_down", "screen_whole"])
        #expect(sink.lines[0].level == .error)
    }

    @Test func `another part that goes down is news`() {
        notices.note(["rules: falls.yaml"])
        notices.note(["rules: falls.yaml", "exemplars: no head"])
        notices.note(["exemplars: no head", "rules: falls.yaml"])
        #expect(sink.lines.count == 2)
        #expect(sink.lines[1].fields.contains("parts" ~ "exemplars: no head; rules: falls.yaml"))
    }

    @Test func `a text that is too long is no part's failure`() {
        notices.note(["rules: text cut at 16000 bytes"])
        #expect(sink.lines.isEmpty)
    }
}
