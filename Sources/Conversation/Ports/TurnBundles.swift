/// Gives the bundles that answer turns, while releases replace them.
///
/// Every call returns at once, without reading a disk or a database.
package protocol TurnBundles: Sendable {
    /// The active bundle, with which a turn begins.
    var active: TurnBundle { get }

    /// Returns the bundle that answers a turn, once the patient is known.
    ///
    /// - Parameters:
    ///   - memory: The patient's data; nil when it could not be read, and then no trial takes the patient.
    ///   - active: The bundle with which the turn began.
    func choice(for turn: Turn, _ memory: PatientMemory?, begunWith active: TurnBundle) -> BundleChoice

    /// Notes the outcome of a turn in a trial.
    func note(_ outcome: TrialOutcome)

    /// Gives an answered turn to a candidate in shadow; does nothing without such a trial.
    func shadow(_ turn: ShadowedTurn)
}
