import Foundation
import HTTPServing
import Runtime
import TestSupport
import Testing

@testable import API

/// More sign-ins at once than the machine has to spare for hashing.
@Suite(.timeLimit(.minutes(2))) struct SignInFloodTests {
    @Test func `what finds the queue of passwords full is told when to try again, and the others are answered`()
        async throws
    {
        let bench = try await Bench()
        let answers = try await withThrowingTaskGroup(of: Received.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let body = #"{"email":"nobody\#(number)@example.org","password":"wrong"}"#
                    let peer = "10.0.\(number / 250).\(number % 250)"
                    return try await bench.send(
                        .post,
                        "/api/v1/auth/login",
                        key: nil,
                        body: Array(body.utf8),
                        from: peer
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let refused = answers.filter { $0.status == 503 }
        #expect(!refused.isEmpty && refused.allSatisfy { $0.code == "overloaded" && $0.headers["Retry-After"] == "1" })
        let checked = answers.filter { $0.status == 401 }
        #expect(!checked.isEmpty && checked.allSatisfy { $0.code == "invalid_credentials" })
        #expect(refused.count + checked.count == answers.count)
        // One that waited too long for its hash was counted, and is refused too.
        let attempted = bench.users.attempted
        #expect(checked.count <= attempted && attempted < answers.count, "what found no place is nobody's attempt")
    }
}
