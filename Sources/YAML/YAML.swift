/// Reads YAML 1.1 as configuration: one document, plain data, bounded in every direction.
///
/// Mapping keys are scalars and occur once; merge keys (`<<`) and tags other than the core schema's are refused.
/// Anchors may be used again within the document, and what they stand for counts against the limit each time.
package enum YAML {
    /// What a document may hold at most.
    package struct Limits: Sendable, Equatable {
        /// Bytes of UTF-8.
        package var bytes: Int
        /// Collections within collections.
        package var depth: Int
        /// Nodes, with those that aliases repeat.
        package var nodes: Int

        /// Makes limits; the defaults suit files that people write by hand.
        package init(bytes: Int = 4 << 20, depth: Int = 32, nodes: Int = 200_000) {
            self.bytes = bytes
            self.depth = depth
            self.nodes = nodes
        }
    }

    /// Reads one document; linear in its length.
    ///
    /// - Parameter file: What positions and errors call the document; with the suffix `.json` its escapes are JSON's.
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
