import Foundation

/// The network that attempts from one place share.
///
/// Of IPv6 it is the first 64 bits, because one customer has all addresses behind them. An IPv4 address inside an IPv6
/// one (RFC 4291, section 2.5.5.2) is the IPv4 address.
package struct NetworkSource: Sendable, Hashable {
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let prefixBytes = 8

    /// The bytes of the network, or the text of what is no address.
    private let bytes: [UInt8]

    /// Reads a literal address, also one in brackets or with a zone (`%eth0`).
    package init(_ address: String) {
        let bare = address.trimmingCharacters(in: ["[", "]", " "])
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, bare, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, String(bare.prefix { $0 != "%" }), &six) == 1 {
            let all = withUnsafeBytes(of: &six) { Array($0) }
            bytes = all.starts(with: Self.mapped) ? Array(all.suffix(4)) : Array(all.prefix(Self.prefixBytes))
        } else {
            bytes = Array("text \(address)".utf8)
        }
    }
}
