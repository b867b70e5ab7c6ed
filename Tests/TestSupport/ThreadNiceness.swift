import Foundation

/// Niceness and scheduling policies of this process's threads, as the kernel reports them.
package enum ThreadNiceness {
    /// The values of all threads of a name, from 0 to 19 (proc(5), field 19 of `stat`).
    package static func values(ofThreadsNamed name: String) -> [Int] { fields(16, ofThreadsNamed: name) }

    /// The policies of all threads of a name (proc(5), field 41 of `stat`).
    package static func policies(ofThreadsNamed name: String) -> [Int] { fields(38, ofThreadsNamed: name) }

    private static func fields(_ place: Int, ofThreadsNamed name: String) -> [Int] {
        let root = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return threads.compactMap { thread in
            // The name is in parentheses, and may itself hold blanks.
            guard let stat = try? String(contentsOfFile: "\(root)/\(thread)/stat", encoding: .utf8),
                let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"),
                stat[stat.index(after: open)..<close] == name
            else { return nil }
            let fields = stat[stat.index(close, offsetBy: 2)...].split(separator: " ")
            return fields.count > place ? Int(fields[place]) : nil
        }
    }
}
