import Runtime
import Testing

@testable import Conversation
@testable import Domain

struct CommitReserveEstimatorTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let least = Duration.milliseconds(250)
    private static let left = Duration.seconds(5)

    private func reserve(
        after took: [Duration],
        later: Duration = .zero,
        of left: Duration = left
    ) -> Duration {
        var closing = CommitReserveEstimator()
        for one in took { closing.note(one, at: Self.start) }
        return closing.reserve(atLeast: Self.least, of: left, at: Self.start + later)
    }

    @Test(arguments: [[], [.zero], [.milliseconds(3)], [.milliseconds(125)], [.milliseconds(-40)]] as [[Duration]])
    func `a service that answers quickly keeps back what is always kept back`(took: [Duration]) {
        #expect(reserve(after: took) == Self.least)
    }

    @Test func `twice the longest time is kept back, whatever came after it`() {
        #expect(reserve(after: [.milliseconds(400), .milliseconds(5)]) == .milliseconds(800))
    }

    @Test func `the longest time fades by half in five seconds`() {
        #expect(reserve(after: [.milliseconds(400)], later: .seconds(5)) == .milliseconds(400))
        #expect(reserve(after: [.milliseconds(400)], later: .seconds(10)) == Self.least)
        #expect(reserve(after: [.milliseconds(400)], later: .seconds(86_400)) == Self.least)
    }

    @Test(arguments: [Duration.milliseconds(900), .seconds(60), .seconds(86_400)])
    func `a model always has seven tenths of what is left`(took: Duration) {
        #expect(reserve(after: [took]) == .milliseconds(1500))
    }

    @Test(arguments: [Duration.milliseconds(400), .milliseconds(100), .zero])
    func `of a short turn the least is kept back all the same`(left: Duration) {
        #expect(reserve(after: [.seconds(1)], of: left) == Self.least)
    }

    @Test func `a clock that is read out of order changes nothing`() {
        #expect(reserve(after: [.milliseconds(400)], later: .milliseconds(-500)) == .milliseconds(800))
    }
}
