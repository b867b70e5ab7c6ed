/// The prompt bundles that a turn may ask for by name.
package protocol PromptBundles: Sendable {
    /// The names of the bundles that are ready, the one in force first; empty when none is.
    var names: [String] { get }
}
