import Evaluation
import Foundation

/// The words and options of `hearth evals`, with the short forms that eval tools share: `-o`, `-j`, `-n`.
struct EvalsArguments: Sendable {
    /// What is to be done.
    let action: String
    /// What it is to be done with.
    let words: [String]
    /// Where reports go.
    let outputs: [String]
    /// The percentiles that can be limited.
    private static let shares = [(name: "p50", share: 0.5), (name: "p95", share: 0.95), (name: "p99", share: 0.99)]
    private let options: [String: String]
    private let flags: Set<String>

    init(_ arguments: Arguments) throws(CommandFailure) {
        var options = arguments.options
        var outputs = options["output"].map { $0.split(separator: ",").map(String.init) } ?? []
        var words: [String] = []
        var rest = arguments.words[...]
        while let word = rest.popFirst() {
            guard let name = ["-o": "output", "-j": "concurrency", "-n": "limit"][word] else {
                words.append(word)
                continue
            }
            guard let value = rest.popFirst() else { throw CommandFailure("\(word) needs a value.") }
            if name == "output" { outputs.append(value) } else { options[name] = value }
        }
        for path in outputs where ReportFormat(path: path) == nil {
            let known = ReportFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: " ")
            throw CommandFailure("\(path) has no suffix of a report; known are \(known).")
        }
        action = words.first ?? ""
        self.words = Array(words.dropFirst())
        self.outputs = outputs
        self.options = options
        flags = arguments.flags
    }

    /// An option's text; nil when it was not given.
    func text(_ name: String) -> String? { options[name] }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// An option as a whole number of 1 or more.
    func count(_ name: String) throws(CommandFailure) -> Int? {
        guard let text = options[name] else { return nil }
        guard let count = Int(text), count >= 1 else { throw CommandFailure("--\(name) must be 1 or more.") }
        return count
    }

    /// An option as a number; one that is not finite, or below zero, would disarm what it limits.
    func number(_ name: String) throws(CommandFailure) -> Double? {
        guard let text = options[name] else { return nil }
        guard let number = Double(text), number.isFinite, number >= 0 else {
            throw CommandFailure("--\(name) must be a number of 0 or more; it is \"\(text)\".")
        }
        return number
    }

    /// The drop in pass rate that matters; one as wide as half of everything would let anything go.
    func margin() throws(CommandFailure) -> Double {
        guard let points = try number("margin") else { return RunComparison.margin }
        guard points < 50 else { throw CommandFailure("--margin must be below 50 points.") }
        return points / 100
    }

    /// The one word that an action needs.
    func word(_ index: Int, _ what: String) throws(CommandFailure) -> String {
        guard index < words.count else { throw CommandFailure("hearth evals \(action) needs \(what).") }
        return words[index]
    }

    /// What limits a run.
    func gate() throws(CommandFailure) -> RunGate {
        let percentiles = try Self.shares.map { known throws(CommandFailure) in
            (known.share, try number("\(known.name)-ms"))
        }
        let stages = try stageLimits()
        let (misses, errors) = (try number("deadline-misses"), try number("max-errors"))
        var gate = RunGate()
        do throws(RunGate.LimitError) {
            for (share, limit) in percentiles {
                if let limit { try gate.limit(share, to: limit) }
            }
            for (stage, share, limit) in stages { try gate.limit(share, of: stage, to: limit) }
            if let misses { try gate.limitDeadlineMisses(to: misses) }
            if let errors { try gate.tolerate(errors: errors) }
        } catch {
            throw CommandFailure("A limit cannot be used: \(error).")
        }
        return gate
    }

    /// Limits on stages, from words such as `recall.p95=300`.
    private func stageLimits() throws(CommandFailure) -> [(stage: String, share: Double, limit: Double)] {
        var limits: [(stage: String, share: Double, limit: Double)] = []
        for word in options["stage-ms"]?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let sides = word.split(separator: "=", omittingEmptySubsequences: false)
            let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false)
            guard sides.count == 2, parts.count == 2, !parts[0].isEmpty, let limit = Double(sides[1]),
                let share = Self.shares.first(where: { $0.name == parts[1] })?.share
            else {
                throw CommandFailure("--stage-ms must be like recall.p95=300,generate.p50=2000; it has \"\(word)\".")
            }
            limits.append((String(parts[0]), share, limit))
        }
        return limits
    }

    /// The price that the model has.
    func price() throws(CommandFailure) -> Grader.Price? {
        guard let text = options["price"] else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard parts.count == 2, parts.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            throw CommandFailure("--price must be two numbers such as 0.15/0.60.")
        }
        return Grader.Price(input: parts[0], output: parts[1])
    }
}
