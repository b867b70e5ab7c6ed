import CValgrind

/// Has callgrind count the instructions of a piece of work, in whatever threads it is done.
struct InstructionCount {
    /// Number of runs before counting, so that what is made once is there.
    private static let before = 3

    /// The name under which the figures are left.
    let name: String
    /// Number of counted runs.
    let times: Int

    /// Number of runs in all.
    var calls: Int { Self.before + times }

    /// True if callgrind runs this program.
    static var isPossible: Bool { cvalgrind_counts() != 0 }

    init(_ name: String, times: Int) {
        self.name = name
        self.times = times
    }

    func of(_ work: () throws -> Void) rethrows {
        for _ in 0..<Self.before { try work() }
        cvalgrind_begin()
        for _ in 0..<times { try work() }
        cvalgrind_end(name)
        print(name, times)
    }

    func of(_ work: () async throws -> Void) async rethrows {
        for _ in 0..<Self.before { try await work() }
        cvalgrind_begin()
        for _ in 0..<times { try await work() }
        cvalgrind_end(name)
        print(name, times)
    }
}
