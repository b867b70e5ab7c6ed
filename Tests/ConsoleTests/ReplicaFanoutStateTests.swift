import Conversation
import Domain
import Runtime
import Testing

@testable import Console

@Suite final class ReplicaFanoutStateTests {
    private static let own = ReplicaID()
    private static let other = ReplicaID()
    private static let tenant = TenantID()
    private static let begin = Instant(nanoseconds: 1_000_000_000_000)

    private var state = ReplicaFanoutState(ReplicaFanoutStateTests.own)

    private func place() -> TurnReference { TurnReference(PatientID(), MessageID()) }

    private func after(_ seconds: Int64) -> Instant { Self.begin + .seconds(seconds) }

    private func begin() -> Bool { state.begin() }

    private func step(at now: Instant, watched: Set<TenantID>) -> ReplicaFanoutState.Step? {
        state.step(at: now, watched: watched)
    }

    private func hear(_ news: TurnEvent, at now: Instant) -> Bool { state.hear(news, at: now) }

    @Test func `nothing is kept or told while nobody watches anywhere`() {
        state.answer(place(), of: Self.tenant, at: Self.begin)
        #expect(begin())
        #expect(step(at: Self.begin, watched: []) == nil)
        #expect(begin(), "the work has ended and may begin again")
    }

    @Test func `a replica at which somebody watches says so every five seconds`() {
        _ = begin()
        var told: [Int64] = []
        for second in 0..<12 where step(at: after(Int64(second)), watched: [Self.tenant])?.news.isEmpty == false {
            told.append(Int64(second))
        }
        #expect(told == [0, 5, 10])
    }

    @Test func `turns are named to whoever watches elsewhere, for fifteen seconds`() {
        #expect(hear(.watched(at: Self.other), at: Self.begin), "the work begins")
        #expect(!hear(.watched(at: Self.other), at: Self.begin), "once")
        let place = place()
        state.answer(place, of: Self.tenant, at: after(1))
        let turns = AnsweredTurns(tenant: Self.tenant, places: [place])
        #expect(step(at: after(1), watched: [])?.news == [.answered(at: Self.own, turns)])
        #expect(step(at: after(2), watched: [])?.news == [])
        #expect(step(at: after(16), watched: []) == nil)
        state.answer(place, of: Self.tenant, at: after(17))
        _ = begin()
        #expect(step(at: after(17), watched: [Self.tenant])?.news == [.watched(at: Self.own)])
    }

    @Test func `of many turns the newest are named and the others counted, each tenant's apart`() {
        _ = hear(.watched(at: Self.other), at: Self.begin)
        let places = (0..<AnsweredTurns.most + 7).map { _ in place() }
        for place in places { state.answer(place, of: Self.tenant, at: Self.begin) }
        let stranger = TenantID()
        state.answer(place(), of: stranger, at: Self.begin)
        let news = step(at: Self.begin, watched: [])?.news ?? []
        let newest = AnsweredTurns(tenant: Self.tenant, places: places.suffix(AnsweredTurns.most), missed: 7)
        #expect(news.count == 2 && news.contains(.answered(at: Self.own, newest)))
    }

    @Test func `turns of others are read for tenants who watch, and our own are not`() {
        _ = begin()
        _ = step(at: Self.begin, watched: [Self.tenant])
        let turns = AnsweredTurns(tenant: Self.tenant, places: [place()], missed: 3)
        let strange = AnsweredTurns(tenant: TenantID(), places: [place()])
        for turns in [turns, strange] { _ = hear(.answered(at: Self.other, turns), at: Self.begin) }
        _ = hear(.answered(at: Self.own, turns), at: Self.begin)
        #expect(step(at: Self.begin, watched: [Self.tenant])?.arrived == [turns])
        #expect(step(at: Self.begin, watched: [Self.tenant])?.arrived == [])
    }

    @Test func `whoever does not hear the own words hears nobody's`() {
        #expect(state.receivesOthers(at: Self.begin) == nil, "nothing is known before anything was told")
        _ = begin()
        _ = step(at: Self.begin, watched: [Self.tenant])
        #expect(state.receivesOthers(at: after(1)) == nil)
        #expect(state.receivesOthers(at: after(3)) == false)
        _ = hear(.watched(at: Self.own), at: after(4))
        #expect(state.receivesOthers(at: after(5)) == true)
        state.lose()
        #expect(state.receivesOthers(at: after(6)) == false)
        _ = hear(.watched(at: Self.own), at: after(7))
        #expect(state.receivesOthers(at: after(8)) == true)
        #expect(state.receivesOthers(at: after(22)) == false, "a word holds for fifteen seconds")
    }
}
