#if canImport(Glibc)
import Glibc
#endif

/// Names this replica for people: the machine's name and the port.
enum ReplicaName {
    /// "web-1:8080".
    static func text(port: Int) -> String {
        var host = [CChar](repeating: 0, count: 65)
        guard gethostname(&host, host.count - 1) == 0 else { return ":\(port)" }
        let name = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(String(decoding: name, as: UTF8.self)):\(port)"
    }
}
