/// A reply in the service's own words, of the bundle in force.
package struct CannedReply: Sendable, Equatable {
    /// The words, at most 20.
    package let text: String
    /// The names of the wordings in the bundle, such as "fall.high/1"; empty for words that were stored before.
    package let ids: [String]
    /// The question that it asks, without its date; nil when it asks nothing that the service weighs.
    package var question: Question?

    /// A question before it is asked.
    package struct Question: Sendable, Equatable {
        /// The subject.
        package var kind: OpenQuestion.Kind
        /// The kind of danger that is asked about.
        package var category: Category
        /// The level that was decided.
        package var level: Level
        /// The level that a worse answer raises the incident to.
        package var raises: Level?
        /// The answer that is the worse one.
        package var worse: WorseAnswer

        /// Makes a question.
        package init(
            kind: OpenQuestion.Kind,
            category: Category,
            level: Level,
            raises: Level? = nil,
            worse: WorseAnswer = .none
        ) {
            self.kind = kind
            self.category = category
            self.level = level
            self.raises = raises
            self.worse = worse
        }
    }

    /// Makes a reply.
    package init(text: String, ids: [String] = [], question: Question? = nil) {
        self.text = text
        self.ids = ids
        self.question = question
    }

    /// Whether it asks something.
    package var asks: Bool { text.unicodeScalars.contains { $0 == "?" } }
}
