/// The difference of two bundles, file by file, in the format of `diff -u`.
///
/// Binary files, such as detectors, show only their sizes.
package struct BundleDifference: Sendable {
    /// The number of unchanged lines shown around a change.
    private static let context = 3
    private let from: [BundleFile]
    private let to: [BundleFile]

    /// Compares two bundles.
    package init(from: [BundleFile], to: [BundleFile]) {
        self.from = from
        self.to = to
    }

    /// The lines of the difference; empty for equal bundles.
    package var lines: [String] {
        let paths = Set((from + to).map(\.path)).sorted()
        return paths.flatMap { path in
            let (old, new) = (bytes(path, in: from), bytes(path, in: to))
            guard old != new else { return [String]() }
            let head = ["--- \(path)", "+++ \(path)"]
            guard let before = Self.text(old), let after = Self.text(new) else {
                return head + ["Binary files differ: \(old?.count ?? 0) bytes, now \(new?.count ?? 0)."]
            }
            return head + hunks(before, after)
        }
    }

    private func bytes(_ path: String, in files: [BundleFile]) -> [UInt8]? { files.first { $0.path == path }?.bytes }

    /// The lines of a file; empty for a missing file, nil for a file that is not UTF-8.
    private static func text(_ bytes: [UInt8]?) -> [String]? {
        guard let bytes else { return [] }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// One line of the longest common subsequence of both texts.
    private enum Line {
        case both(String)
        case old(String)
        case new(String)

        var isChange: Bool {
            if case .both = self { false } else { true }
        }

        var text: String {
            switch self {
            case .both(let text): " " + text
            case .old(let text): "-" + text
            case .new(let text): "+" + text
            }
        }
    }

    private func hunks(_ old: [String], _ new: [String]) -> [String] {
        let lines = aligned(old, new)
        var hunks: [String] = []
        var (oldLine, newLine) = (1, 1)
        var lastShown = -1
        for (index, line) in lines.enumerated() {
            let near = max(0, index - Self.context)...min(lines.count - 1, index + Self.context)
            if lines[near].contains(where: \.isChange) {
                if lastShown != index - 1 || hunks.isEmpty { hunks.append("@@ -\(oldLine) +\(newLine) @@") }
                hunks.append(line.text)
                lastShown = index
            }
            switch line {
            case .both: (oldLine, newLine) = (oldLine + 1, newLine + 1)
            case .old: oldLine += 1
            case .new: newLine += 1
            }
        }
        return hunks
    }

    private func aligned(_ old: [String], _ new: [String]) -> [Line] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if oldIndex < old.count, removed.contains(oldIndex) {
                lines.append(.old(old[oldIndex]))
                oldIndex += 1
            } else if newIndex < new.count, inserted.contains(newIndex) {
                lines.append(.new(new[newIndex]))
                newIndex += 1
            } else {
                lines.append(.both(new[newIndex]))
                (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
            }
        }
        return lines
    }
}
