import Domain
import Foundation
import Speech
import Testing

/// Signed links to sound.
@Suite struct SpeechLinksTests {
    private let links = SpeechLinks(secret: Array(repeating: 7, count: 32), base: "https://hearth.example")
    private let clip = SpeechAddress(tenant: TenantID(), digest: (0..<32).map { UInt8($0) })
    private let date = Date(timeIntervalSince1970: 1_790_000_123)

    private func token(at date: Date) throws -> String {
        let address = links.address(of: clip, at: date)
        return String(try #require(address.split(separator: "/").last))
    }

    @Test func `a link leads to its clip, for a day at least and at one address for an hour`() throws {
        let token = try token(at: date)
        #expect(links.address(of: clip, at: date).hasPrefix("https://hearth.example/v1/audio/"))
        #expect(token.hasSuffix(".mp3"))
        #expect(links.clip(of: token, at: date) == clip)
        #expect(links.clip(of: String(token.dropLast(4)), at: date) == clip, "without the suffix, too")
        #expect(links.clip(of: token, at: date.addingTimeInterval(86_399)) == clip)
        #expect(try self.token(at: date.addingTimeInterval(60)) == token)
        #expect(try self.token(at: date.addingTimeInterval(7200)) != token)
    }

    @Test func `a link expires`() throws {
        let token = try token(at: date)
        #expect(links.clip(of: token, at: date.addingTimeInterval(86_400 + 3600)) == nil)
    }

    @Test func `no character of a link can be changed`() throws {
        let token = Array(try token(at: date).dropLast(4))
        for place in token.indices {
            var changed = token
            changed[place] = changed[place] == "A" ? "B" : "A"
            #expect(links.clip(of: String(changed), at: date) == nil, "\(place)")
        }
    }

    @Test(arguments: ["", ".mp3", "AAAA", "!!!!", "..", String(repeating: "A", count: 118), "é.mp3"])
    func `what was not signed opens nothing`(token: String) {
        #expect(links.clip(of: token, at: date) == nil)
    }

    @Test func `another secret opens nothing, nor does a part of a link`() throws {
        let token = try token(at: date)
        let others = SpeechLinks(secret: Array(repeating: 8, count: 32), base: "https://hearth.example")
        #expect(others.clip(of: token, at: date) == nil)
        for count in [1, 10, 60, 116] { #expect(links.clip(of: String(token.prefix(count)), at: date) == nil) }
    }
}
