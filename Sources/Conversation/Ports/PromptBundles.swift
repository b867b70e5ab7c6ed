/// The prompt bundles that a turn may ask for by name.
package protocol PromptBundles: Sendable {
    /// The names of the bundles that are loaded, the active one first; empty when none is.
    var names: [String] { get }
}
