package import Conversation
package import Runtime

/// Why a change of what is in force is not made.
package enum ReleaseRefusal: Error, Equatable {
    /// The record could not be read or written.
    case records(RecordsError)
    /// The desk's thread was not free in time.
    case busy(WorkerError)
    /// The service could not answer with the files.
    case notLoadable(BundleError)
    /// No stored bundle's digest begins so.
    case unknownBundle(start: String)
    /// More than one stored bundle's digest begins so.
    case manyBundles(start: String)
    /// The stored bytes are no bundle.
    case unreadableBundle(start: String)
    /// The fixtures that a promotion asks for cannot be read.
    case noSuite(reason: String)
    /// No eval run has passed on exactly these files.
    case unjustified(bundle: String, EvalRunFolder.Refusal)
    /// Another change had the number first.
    case raced(environment: String)
    /// The environment follows its folder: there is nothing to try another bundle beside, or to go back from.
    case noRelease(environment: String)
    /// A trial runs already.
    case trialRuns(environment: String)
    /// No trial of this kind runs.
    case noTrial(Release.Trial.Kind, environment: String)
    /// The bundle is in force already.
    case inForce(bundle: String)
    /// The bundle was never in force here.
    case neverInForce(start: String, environment: String)
    /// No other bundle was ever in force here.
    case onlyBundle(environment: String)
    /// Every other bundle that was in force here was rolled back.
    case noneIsLeft(environment: String)
    /// The bundle was rolled back here; only a promotion brings it back.
    case rolledBack(bundle: String, environment: String)
}

extension ReleaseRefusal: CustomStringConvertible {
    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .records(let error): "The database refused: \(error)."
        case .busy(let error): "Too much is being checked at once: \(error)."
        case .notLoadable(let error): "\(error)"
        case .unknownBundle(let start): "No stored bundle begins with \(start)."
        case .manyBundles(let start): "More than one bundle begins with \(start)."
        case .unreadableBundle(let start): "The bundle \(start) cannot be read."
        case .noSuite(let reason): "The fixtures that a promotion asks for cannot be read: \(reason)"
        case .unjustified(let bundle, let reason):
            "Refused: \(reason); run the evals on the bundle \(bundle.prefix(12)) first."
        case .raced(let environment):
            "Another change of \(environment) came first; look at its status and try again."
        case .noRelease(let environment): "\(environment) has no release; promote a bundle first."
        case .trialRuns(let environment): "A trial runs in \(environment) already; end it first."
        case .noTrial(let kind, let environment): "No \(kind.rawValue) runs in \(environment)."
        case .inForce(let bundle): "The bundle \(bundle.prefix(12)) is in force already."
        case .neverInForce(let start, let environment): "\(start) was never in force in \(environment)."
        case .onlyBundle(let environment): "\(environment) has had no other bundle."
        case .noneIsLeft(let environment):
            "Every other bundle of \(environment) was rolled back; promote one that has passed the evals."
        case .rolledBack(let bundle, let environment):
            "The bundle \(bundle.prefix(12)) was rolled back in \(environment); only a promotion brings it back."
        }
    }
}
