import Domain
import Foundation
import HTTPClient
import Runtime
import TestSupport
import Testing

@testable import Alerts

/// Contract of every provider of pushes, shown on the strict doubles of both.
@Suite(.timeLimit(.minutes(2)))
struct DevicePushContractTests {
    enum Kind: String, CaseIterable { case firebase, apple }

    /// Failures of a provider, in the words of each.
    enum Fault { case gone, busy, overloaded, broken }

    struct Bench {
        let pushing: any DevicePushing
        let fail: (Fault) async throws -> Void
        /// An accepted push: the key, and the words shown or none.
        let taken: () async throws -> [(key: String, words: String?)]

        func send(_ words: String?, key: String = "k-1") async -> Result<String, SendingFailure> {
            let push = DevicePush(
                to: ContactDetails.Device(token: String(repeating: "a1", count: 32), platform: .ios),
                key: key,
                shown: words.map { DevicePush.Shown(title: "Hearth", body: $0) },
                data: ["action": "speak_tts"],
                timeToLive: .seconds(600)
            )
            do throws(SendingFailure) {
                return .success(try await pushing.send(push, by: Deadline(after: .seconds(10))))
            } catch {
                return .failure(error)
            }
        }
    }

    private func with(_ kind: Kind, _ body: (Bench) async throws -> Void) async throws {
        try await Channels.with { channels in
            switch kind {
            case .firebase:
                let client = HTTPClient(on: channels.loops)
                let providers = channels.providers
                let account = try #require(ServiceAccount(json: providers.accountFile))
                let bench = Bench(
                    pushing: FirebaseMessaging(account, Provider(client), base: providers.url),
                    fail: { providers.next(.push, Self.fault($0)) },
                    taken: { providers.messages.map { ($0.key, $0.fields["body"]) } }
                )
                let outcome = await Result { try await body(bench) }
                await client.drain(by: Deadline(after: .seconds(2)))
                #expect(providers.violations == [])
                try outcome.get()
            case .apple:
                let double = try await AppleDouble()
                let client = HTTPClient(on: channels.loops, double.trusting)
                let bench = Bench(
                    pushing: double.pushing(client),
                    fail: { try await Self.fail($0, double) },
                    taken: {
                        try await double.taken.map {
                            ($0.headers["apns-collapse-id"] ?? "", $0.body.aps.alert?["body"])
                        }
                    }
                )
                let outcome = await Result { try await body(bench) }
                await client.drain(by: Deadline(after: .seconds(2)))
                #expect(double.violations == [])
                try outcome.get()
            }
        }
    }

    private static func fault(_ fault: Fault) -> AlertProviders.Fault {
        switch fault {
        case .gone: .refuses(404, [], #"{"error":{"status":"NOT_FOUND","details":[{"errorCode":"UNREGISTERED"}]}}"#)
        case .busy: .refuses(429, [("Retry-After", "7")])
        case .overloaded: .refuses(503, [("Retry-After", "9")])
        case .broken: .takesAndFails(500)
        }
    }

    private static func fail(_ fault: Fault, _ double: AppleDouble) async throws {
        switch fault {
        case .gone: try await double.next(410, "Unregistered")
        case .busy: try await double.next(429, "TooManyRequests", headers: ["retry-after": "7"])
        case .overloaded: try await double.next(503, "ServiceUnavailable", headers: ["retry-after": "9"])
        case .broken: try await double.next(500, "InternalServerError", isLate: true)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a push shows its words, and a silent one nothing`(kind: Kind) async throws {
        try await with(kind) { bench in
            guard case .success(let name) = await bench.send("Time to rest.") else {
                Issue.record("it is taken")
                return
            }
            #expect(!name.isEmpty)
            guard case .success = await bench.send(nil, key: "k-2") else {
                Issue.record("it is taken")
                return
            }
            let taken = try await bench.taken()
            #expect(taken.map(\.key) == ["k-1", "k-2"])
            #expect(taken.map(\.words) == ["Time to rest.", nil])
        }
    }

    @Test(arguments: Kind.allCases)
    func `a telephone that is gone is a bad address`(kind: Kind) async throws {
        try await with(kind) { bench in
            try await bench.fail(.gone)
            guard case .failure(.invalidAddress) = await bench.send("x") else {
                Issue.record("the token is to be forgotten")
                return
            }
            let taken = try await bench.taken()
            #expect(taken.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a provider that is busy says when to come back, and what it refused is taken then`(kind: Kind) async throws {
        try await with(kind) { bench in
            for (fault, wait) in [(Fault.busy, Duration.seconds(7)), (.overloaded, .seconds(9))] {
                try await bench.fail(fault)
                guard case .failure(.unavailable(_, let retryAfter)) = await bench.send("x") else {
                    Issue.record("it is not taken")
                    return
                }
                #expect(retryAfter == wait)
            }
            let before = try await bench.taken()
            _ = await bench.send("x")
            let after = try await bench.taken()
            #expect(before.isEmpty && after.count == 1)
        }
    }

    @Test(arguments: Kind.allCases)
    func `what may have arrived is unknown, and a repeat has the same name`(kind: Kind) async throws {
        try await with(kind) { bench in
            try await bench.fail(.broken)
            guard case .failure(.unknown) = await bench.send("x") else {
                Issue.record("nobody knows")
                return
            }
            _ = await bench.send("x")
            let keys = try await bench.taken().map(\.key)
            #expect(Set(keys) == ["k-1"])
        }
    }
}
