import API
import HTTPClient
import Runtime

/// Fetches the key sets of identity providers.
struct KeySetFetcher: Sendable {
    private static let maximumBytes = 256 << 10

    let client: any HTTPTransport

    /// Returns a provider's answer; nil for any answer but a complete one of status 200, and for a redirect.
    func fetch(_ url: String, by deadline: Deadline) async -> FetchedKeySet? {
        do throws(TransferError) {
            let response = try await client.send(OutgoingRequest(.get, url), by: deadline)
            guard response.status == 200 else { return nil }
            let bytes = try await response.collect(upTo: Self.maximumBytes)
            return FetchedKeySet(bytes: bytes, maximumAge: Self.maximumAge(response.headers["Cache-Control"] ?? ""))
        } catch {
            return nil
        }
    }

    /// The `max-age` of a caching policy in seconds (RFC 9111, section 5.2.2.1); nil when there is none.
    static func maximumAge(_ field: String) -> Duration? {
        for part in field.split(separator: ",") {
            let halves = part.split(separator: "=", maxSplits: 1)
            let name = halves[0].trimmingPrefix { $0 == " " }
            guard halves.count == 2, name.lowercased() == "max-age" else { continue }
            let digits = halves[1].filter { $0 != "\"" && $0 != " " }
            return Int32(digits).flatMap { $0 >= 0 ? .seconds(Int($0)) : nil }
        }
        return nil
    }
}
