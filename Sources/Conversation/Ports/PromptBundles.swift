/// Names the prompt bundles that a turn may ask for.
package protocol PromptBundles: Sendable {
    /// The names of the loaded bundles, the active one first; empty when none is loaded.
    var names: [String] { get }
}
