package import Foundation

/// The folder in which eval runs leave what they found.
package struct EvalRunFolder: Sendable {
    /// Why no run justifies a bundle.
    package enum Refusal: Error, Equatable {
        /// There is no run of that name, or none at all that passed on the bundle.
        case noRun(id: String?, bundle: String)
        /// The file of a run is not what a run leaves.
        case unreadable(path: String)
        /// The run answered with another bundle.
        case otherBundle(id: String, bundle: String)
        /// The run did not pass.
        case notPassed(id: String, EvalRun.Verdict)
    }

    private let url: URL

    /// Names a folder.
    package init(_ url: URL) {
        self.url = url
    }

    /// The run that justifies a bundle: the one that is named, or else the newest that passed on it.
    ///
    /// Blocks on the disk.
    package func justification(of bundle: String, run id: String?) throws(Refusal) -> EvalRun {
        if let id {
            let run = try read(id)
            guard run.bundle == bundle else { throw .otherBundle(id: id, bundle: run.bundle) }
            guard run.verdict == .passed else { throw .notPassed(id: id, run.verdict) }
            return run
        }
        let runs = try names.map { name throws(Refusal) in try read(name) }.filter { $0.bundle == bundle }
        if let newest = runs.filter({ $0.verdict == .passed }).max(by: { $0.finishedAt < $1.finishedAt }) {
            return newest
        }
        if let other = runs.max(by: { $0.finishedAt < $1.finishedAt }) { throw .notPassed(id: other.id, other.verdict) }
        throw .noRun(id: nil, bundle: bundle)
    }

    /// The newest run that shows that a model can be trusted with a bundle: live, of exactly this suite, in the open posture.
    ///
    /// Blocks on the disk.
    package func trust(in model: String, with bundle: String, suite: String) throws(TrustRefusal) -> EvalRun {
        var runs: [EvalRun] = []
        for name in names {
            do throws(Refusal) {
                runs.append(try read(name))
            } catch {
                throw .unreadable(error)
            }
        }
        let ofSuite = runs.filter { $0.suite == suite }
        guard !ofSuite.isEmpty else { throw .noRun(model: model) }
        let ofBundle = ofSuite.filter { $0.bundle == bundle }
        guard !ofBundle.isEmpty else { throw .otherBundle(model: model, bundle: bundle) }
        guard let newest = ofBundle.filter({ $0.model == model }).max(by: { $0.finishedAt < $1.finishedAt }) else {
            throw .otherModel(model: model, asked: Set(ofBundle.compactMap(\.model)).sorted())
        }
        guard newest.mode == "live" else { throw .notLive(run: newest.id, mode: newest.mode ?? "") }
        guard newest.posture == "open" else { throw .notOpen(run: newest.id) }
        guard newest.verdict == .passed else { throw .notPassed(run: newest.id, newest.verdict) }
        return newest
    }

    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { String($0.dropLast(".json".count)) }
    }

    private func read(_ id: String) throws(Refusal) -> EvalRun {
        guard !id.contains("/") else { throw .noRun(id: id, bundle: "") }
        let file = url.appending(path: id + ".json")
        guard let data = try? Data(contentsOf: file) else { throw .noRun(id: id, bundle: "") }
        guard let run = try? JSONDecoder().decode(EvalRun.self, from: data), run.id == id else {
            throw .unreadable(path: file.path)
        }
        return run
    }
}

extension EvalRunFolder.Refusal: CustomStringConvertible {
    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .noRun(let id?, _): "there is no eval run \(id)"
        case .noRun(nil, let bundle): "no eval run has answered with the bundle \(bundle.prefix(12))"
        case .unreadable(let path): "\(path) is not what an eval run leaves"
        case .otherBundle(let id, let bundle): "the eval run \(id) answered with the bundle \(bundle.prefix(12))"
        case .notPassed(let id, let verdict): "the eval run \(id) is \(verdict.rawValue), not passed"
        }
    }
}
