import Domain
import Foundation
import HTTPClient
import Runtime
import TestSupport
import Testing

@testable import Alerts

/// Pushes to Apple without Firebase, over HTTP/2 to a double that checks the token's signature.
@Suite(.timeLimit(.minutes(2)))
struct ApplePushingTests {
    private static let device = ContactDetails.Device(token: String(repeating: "a1", count: 32), platform: .ios)

    private static func push(keptFor time: Duration = .seconds(600), data: [String: String] = [:]) -> DevicePush {
        let shown = DevicePush.Shown(title: "Hearth", body: "Time to rest.")
        return DevicePush(to: device, key: "k", shown: shown, data: data, timeToLive: time)
    }

    private func with(_ body: (AppleDouble, HTTPClient) async throws -> Void) async throws {
        let double = try await AppleDouble()
        let loops = EventLoopGroup(count: 1)
        let client = HTTPClient(on: loops, double.trusting)
        let outcome = await Result { try await body(double, client) }
        await client.drain(by: Deadline(after: .seconds(2)))
        loops.stop()
        try outcome.get()
    }

    @Test func `a provider token is shared for forty minutes, and then made anew`() async throws {
        try await with { double, client in
            let time = VirtualTime(date: Date(timeIntervalSinceNow: -45 * 60))
            let apple = double.pushing(client, time: time)
            for minutes in [0, 39, 2] {
                time.advance(by: .seconds(minutes * 60))
                _ = try await apple.send(Self.push(keptFor: .seconds(3600)), by: .soon)
            }
            let tokens = try await double.taken.map { $0.headers["authorization"] }
            #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
            #expect(double.violations == [])
        }
    }

    @Test func `a token that Apple calls too old is renewed once, and not twice within twenty minutes`() async throws {
        try await with { double, client in
            let time = VirtualTime(date: Date(timeIntervalSinceNow: -70 * 60))
            let apple = double.pushing(client, time: time)
            await #expect(throws: SendingFailure.unavailable(reason: "ExpiredProviderToken", retryAfter: nil)) {
                _ = try await apple.send(Self.push(keptFor: .seconds(7200)), by: .soon)
            }
            time.advance(by: .seconds(25 * 60))
            _ = try await apple.send(Self.push(keptFor: .seconds(7200)), by: .soon)
            #expect(try await double.taken.count == 1 && double.violations == [])
        }
    }

    @Test func `a push that is not kept expires at once`() async throws {
        try await with { double, client in
            _ = try await double.pushing(client).send(Self.push(keptFor: .zero), by: .soon)
            #expect(try await double.taken.first?.headers["apns-expiration"] == "0")
        }
    }

    @Test func `another key is refused, and so is what is too long`() async throws {
        try await with { double, client in
            let (pem, _) = try AppleDouble.makeKey()
            let other = AppleAccount(pem: pem, keyID: "KEY1234567", team: "TEAM123456", topic: "example.hearth")
            let stranger = double.pushing(client, other)
            await #expect(throws: SendingFailure.refused(reason: "InvalidProviderToken")) {
                _ = try await stranger.send(Self.push(), by: .soon)
            }
            let long = Self.push(data: ["text": String(repeating: "x", count: 5000)])
            await #expect(throws: SendingFailure.self) { _ = try await double.pushing(client).send(long, by: .soon) }
            #expect(try await double.taken.isEmpty)
        }
    }

    @Test func `an alert goes to a contact's telephone by the same way`() async throws {
        try await with { double, client in
            let person = AlertPeople.contact("Sarah", priority: 1)
            let contact = ContactDetails(contact: person.contact, device: Self.device)
            let notice = Channels.notice(contact: contact)
            let sender = PushSender(nil, apple: double.pushing(client))
            let sent = try await sender.send(notice, by: .soon)
            #expect(!sent.providerID.isEmpty && double.violations == [])
            #expect(try await double.taken.first?.headers["apns-collapse-id"] == notice.dispatch.description)
            #expect(try await double.taken.first?.body.aps.alert?["title"] == notice.title)
        }
    }

    @Test(arguments: [
        (String(repeating: "a1", count: 32), ContactDetails.Device.Platform.ios, true),
        (String(repeating: "a1", count: 32), .android, false), ("f5R3tG8k:APA91b", .ios, false),
        (String(repeating: "a", count: 63), .ios, false), (String(repeating: "g1", count: 32), .ios, false),
        (String(repeating: "a1", count: 101), .ios, false), ("", .ios, false),
    ])
    func `only Apple's own tokens go to Apple`(
        token: String,
        platform: ContactDetails.Device.Platform,
        isApples: Bool
    ) {
        #expect(ApplePushing.knows(ContactDetails.Device(token: token, platform: platform)) == isApples)
    }

    @Test func `what is no key of Apple's is none`() throws {
        for pem in ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            #expect(AppleAccount(pem: pem, keyID: "k", team: "t", topic: "x") == nil)
        }
    }
}
