/// The bundles that turns are answered with, while they are exchanged under them.
///
/// Every call returns at once: nothing is read from a disk or a database.
package protocol TurnBundles: Sendable {
    /// The bundle in force, with which a turn begins.
    var active: TurnBundle { get }

    /// The bundle that answers a turn, once it is known who speaks.
    ///
    /// - Parameters:
    ///   - memory: What is remembered; nil when memory could not be read, and then no trial takes the patient.
    ///   - active: The bundle with which the turn began.
    func choice(for turn: Turn, _ memory: PatientMemory?, begunWith active: TurnBundle) -> BundleChoice

    /// Takes note of how a turn went that counts in a trial.
    func note(_ outcome: TrialOutcome)

    /// Has a candidate answer a turn that has been answered, unheard; does nothing when it is not asked for it.
    func shadow(_ turn: ShadowedTurn)
}
