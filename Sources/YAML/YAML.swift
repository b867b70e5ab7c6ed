/// Reads YAML 1.1 as configuration: one document, plain data, bounded in every direction.
///
/// Mapping keys are scalars and occur once. Merge keys (`<<`) and tags outside the core schema are refused. Anchors may
/// be reused within the document; each use counts against the node limit.
package enum YAML {
    /// The upper limits of a document.
    package struct Limits: Sendable, Equatable {
        /// Bytes of UTF-8.
        package var bytes: Int
        /// Levels of nested collections.
        package var depth: Int
        /// Nodes, including those repeated by aliases.
        package var nodes: Int

        /// Makes limits; the defaults suit hand-written files.
        package init(bytes: Int = 4 << 20, depth: Int = 32, nodes: Int = 200_000) {
            self.bytes = bytes
            self.depth = depth
            self.nodes = nodes
        }
    }

    /// Reads one document; the cost is linear in its length.
    ///
    /// - Parameter file: The document's name in positions and errors. The suffix `.json` selects JSON's escapes.
    package static func parse(
        _ text: String,
        file: String = "<yaml>",
        limits: Limits = Limits()
    ) throws(YAMLError) -> YAMLNode {
        guard text.utf8.count <= limits.bytes else {
            throw .tooLarge(file: file, bytes: text.utf8.count, limit: limits.bytes)
        }
        let text = file.hasSuffix(".json") ? JSONEscapes.joiningPairs(text) : text
        var reader = YAMLReader(text, file: file, limits: limits)
        return try reader.document()
    }
}
