/// The reason why the fixtures that a promotion needs are unreadable.
package struct UnreadableSuite: Error, Equatable {
    /// A sentence for the operator.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
