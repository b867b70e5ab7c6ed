import Domain
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

/// Calls that come while others run share one transaction; each gets its own output or its own error.
@Suite(.timeLimit(.minutes(1)))
struct CallGathererTests {
    /// Runs batches of numbers: a batch with a bad number is refused as a whole.
    private final class Ledger: Sendable {
        let batches = Mutex<[[Int]]>([])
        let gate = OneShot<Void>()
        let bad: Int?

        init(bad: Int? = nil) { self.bad = bad }

        func run(_ numbers: [Int]) async throws(RecordsError) -> [Int] {
            let isFirst = batches.withLock { batches in
                batches.append(numbers)
                return batches.count == 1
            }
            if isFirst { await gate.value(ifCancelled: ()) }
            if let bad, numbers.contains(bad) { throw .refused(code: "22000", message: "bad") }
            return numbers.map { $0 * 10 }
        }
    }

    private func gatherer(_ ledger: Ledger, most: Int = 64) -> CallGatherer<Int, Int> {
        CallGatherer(most: most, mostRunning: 1) { _, numbers, _ async throws(RecordsError) in
            try await ledger.run(numbers)
        }
    }

    /// Holds the first call, sends the others, and returns what came of all of them.
    private func outcomes(
        _ count: Int,
        _ ledger: Ledger,
        _ gatherer: CallGatherer<Int, Int>,
        by deadline: Deadline = .soon
    ) async throws -> [Int: Result<Int, RecordsError>] {
        let tenant = TenantID()
        return try await withThrowingTaskGroup(of: (Int, Result<Int, RecordsError>).self) { group in
            func send(_ number: Int, by deadline: Deadline) {
                group.addTask {
                    do throws(RecordsError) {
                        return (number, .success(try await gatherer.call(tenant, number, by: deadline)))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            send(0, by: .soon)
            try await eventually { ledger.batches.withLock { $0.count == 1 } }
            for number in 1..<count { send(number, by: deadline) }
            try await eventually { gatherer.waiting(of: tenant) == count - 1 }
            ledger.gate.settle(())
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test func `calls that wait run together, and each gets its own output`() async throws {
        let ledger = Ledger()
        let outcomes = try await outcomes(10, ledger, gatherer(ledger))
        #expect((0..<10).allSatisfy { outcomes[$0] == .success($0 * 10) })
        #expect(ledger.batches.withLock { $0.map(\.count) } == [1, 9])
    }

    @Test func `no transaction holds more calls than are allowed`() async throws {
        let ledger = Ledger()
        _ = try await outcomes(10, ledger, gatherer(ledger, most: 4))
        #expect(ledger.batches.withLock { $0.map(\.count) } == [1, 4, 4, 1])
    }

    @Test func `a call that is refused leaves the others as they would be alone`() async throws {
        let ledger = Ledger(bad: 5)
        let outcomes = try await outcomes(10, ledger, gatherer(ledger))
        #expect(outcomes[5] == .failure(.refused(code: "22000", message: "bad")))
        #expect((0..<10).filter { $0 != 5 }.allSatisfy { outcomes[$0] == .success($0 * 10) })
    }

    @Test func `a call whose time is up is not run`() async throws {
        let ledger = Ledger()
        let outcomes = try await outcomes(3, ledger, gatherer(ledger), by: Deadline(.now))
        #expect(outcomes[1] == .failure(.timedOut(after: .zero)) && outcomes[0] == .success(0))
        #expect(ledger.batches.withLock { $0 } == [[0]])
    }
}
