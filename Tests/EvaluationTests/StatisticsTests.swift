import Evaluation
import Testing

/// Known values are scipy 1.x's: `binomtest(...).proportion_ci('wilson')`, `beta.ppf`, `binom`, and enumeration.
@Suite struct StatisticsTests {
    private static func isNear(_ left: Double, _ right: Double, _ tolerance: Double = 1e-9) -> Bool {
        abs(left - right) <= tolerance
    }

    @Test(arguments: [
        (0, 299, 0.0, 0.012684719046240528), (97, 100, 0.9154806357094724, 0.9897454759759611),
        (50, 50, 0.9286524008666412, 1.0), (0, 10, 0.0, 0.27753279986288926),
        (1, 20, 0.008881448800795402, 0.23613119344674205), (430, 450, 0.932351699493918, 0.9710474766531532),
    ])
    func `Wilson's interval is scipy's`(successes: Int, count: Int, low: Double, high: Double) {
        let interval = Proportion(successes, of: count).interval
        #expect(Self.isNear(interval.lowerBound, low) && Self.isNear(interval.upperBound, high))
    }

    @Test func `an extreme rate has an interval with a width, and nothing observed has all of it`() {
        #expect(Proportion(0, of: 200).interval.upperBound > 0.01)
        #expect(Proportion(200, of: 200).interval.lowerBound < 0.99)
        #expect(Proportion(0, of: 0).interval == 0...1)
        #expect(Proportion(0, of: 0).rate == nil)
    }

    @Test(arguments: [
        (0, 299, 0.009969146792899269), (0, 2995, 0.000999744420901142), (3, 100, 0.07571079374983004),
        (1, 20, 0.2161061642068473), (5, 5, 1.0),
    ])
    func `the upper bound is that of Clopper and Pearson`(successes: Int, count: Int, bound: Double) {
        #expect(Self.isNear(Proportion(successes, of: count).upperBound, bound, 1e-8))
    }

    @Test func `none of 299 is claimed as under one percent, and none of 298 is not`() {
        #expect(Proportion(0, of: 299).claim == "0 of 299: under 1.00 %")
        #expect(Proportion(0, of: 298).upperBound > 0.01)
    }

    @Test func `the binomial distribution is scipy's`() {
        #expect(Self.isNear(Binomial.probability(of: 7, in: 20, rate: 0.3), 0.1642619852172366))
        #expect(Self.isNear(Binomial.probability(ofAtLeast: 7, in: 20, rate: 0.3), 0.3919901877990756))
        #expect(Self.isNear(Binomial.probability(ofAtMost: 7, in: 20, rate: 0.3), 0.7722717974181608))
    }

    @Test(arguments: [
        (5, 0, 0.03125, 1.0), (10, 2, 0.019287109375, 0.996826171875), (6, 4, 0.376953125, 0.828125),
        (0, 0, 1.0, 1.0), (12, 3, 0.017578125, 0.996307373046875),
    ])
    func `with one fixture to a conversation the test is McNemar's`(worse: Int, better: Int, drop: Double, rise: Double)
    {
        let differences =
            [Double](repeating: -1, count: worse) + [Double](repeating: 1, count: better)
            + [Double](repeating: 0, count: 300)
        let test = SignFlipTest(differences)
        #expect(Self.isNear(test.dropChance, drop) && Self.isNear(test.riseChance, rise))
    }

    @Test func `with several fixtures to a conversation the test is exact by enumeration`() {
        let whole = SignFlipTest([2, -1, 3, 1])
        #expect(Self.isNear(whole.dropChance, 0.9375) && Self.isNear(whole.riseChance, 0.1875))
        let thirds = SignFlipTest([-2 / 3, 1 / 3, -1, -1 / 3])
        #expect(Self.isNear(thirds.dropChance, 0.1875) && Self.isNear(thirds.riseChance, 0.9375))
    }

    @Test func `one conversation that fails five times is one piece of evidence`() {
        #expect(SignFlipTest([-5]).dropChance == 0.5)
        #expect(SignFlipTest([-1, -1, -1, -1, -1]).dropChance < 0.05)
    }

    @Test func `the interval of a difference is that of Bonett and Price, with a width when nothing flipped`() {
        let still = PairedInterval.ofRates([Double](repeating: 0, count: 100))
        #expect(
            Self.isNear(still.lowerBound, -0.027174584791170155) && Self.isNear(still.upperBound, 0.027174584791170155)
        )
        let moved = PairedInterval.ofRates(
            [Double](repeating: -1, count: 7) + [1, 1] + [Double](repeating: 0, count: 191)
        )
        #expect(
            Self.isNear(moved.lowerBound, -0.05675145011552427) && Self.isNear(moved.upperBound, 0.007246499620474765)
        )
    }

    @Test func `the bootstrap is determined by its seed and holds the mean`() throws {
        let values = (0..<50).map { Double($0 % 7) / 7 }
        let interval = try #require(PairedInterval.ofMean(values, seed: 3))
        #expect(interval == PairedInterval.ofMean(values, seed: 3))
        #expect(interval.contains(values.reduce(0, +) / 50))
        #expect(PairedInterval.ofMean([0.5], seed: 3) == nil)
    }

    @Test func `Holm's adjustment keeps the order and never goes down`() {
        #expect(Holm.adjusted([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02])
        #expect(Holm.adjusted([0.6, 0.7]) == [1, 1])
        #expect(Holm.adjusted([]).isEmpty)
    }

    @Test(arguments: [(100, 0.165), (200, 0.390), (400, 0.690), (800, 0.935)])
    func `power is what enumeration gives for 5 percent worse and 2 percent better`(count: Int, power: Double) {
        #expect(Self.isNear(Power.ofDrop(count: count, worse: 0.05, better: 0.02), power, 0.0006))
    }

    @Test func `five flips one way are the fewest that can be a drop`() {
        #expect(Power.leastWorse(of: 4) == nil)
        #expect(Power.leastWorse(of: 5) == 5)
        #expect(Power.smallestVisibleDrop(count: 4) == nil)
        #expect(Power.smallestVisibleDrop(count: 0) == nil)
    }

    @Test func `a percentile is refused on too few samples`() {
        #expect(LatencySummary.needed(0.95) == 59)
        #expect(LatencySummary.needed(0.99) == 299)
        #expect(LatencySummary((1...58).map(Double.init)).percentile(0.95) == .tooFew(count: 58, needed: 59))
        #expect(LatencySummary([]).percentile(0.5) == .tooFew(count: 0, needed: 5))
        guard case .known(let milliseconds, let bound) = LatencySummary((1...100).map(Double.init)).percentile(0.95)
        else {
            Issue.record("100 samples are enough")
            return
        }
        #expect(milliseconds == 95 && bound == 99)
    }

    @Test func `kappa is Cohen's, and a judge gates only when it is surely high on enough labels`() throws {
        var agreement = Agreement()
        func add(_ judge: Bool?, _ people: Bool, _ count: Int) {
            for _ in 0..<count { agreement.add(judge: judge, people: people) }
        }
        add(true, true, 20)
        add(false, false, 15)
        add(true, false, 5)
        add(false, true, 10)
        #expect(Self.isNear(try #require(agreement.kappa), 0.4))
        #expect(!agreement.allowsGating)
        agreement = Agreement()
        add(true, true, 30)
        add(false, false, 19)
        #expect(!agreement.allowsGating, "49 labels are too few")
        add(false, false, 1)
        #expect(agreement.allowsGating)
        add(nil, true, 30)
        #expect(!agreement.allowsGating, "no verdict is no agreement")
        var same = Agreement()
        for _ in 0..<60 { same.add(judge: true, people: true) }
        #expect(same.kappa == nil && !same.allowsGating, "a judge that always says yes has shown nothing")
    }
}
