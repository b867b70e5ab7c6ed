/// The reason for which the fixtures that a promotion asks for cannot be read.
package struct UnreadableSuite: Error, Equatable {
    /// A sentence for the operator.
    package let reason: String

    /// Names a reason.
    package init(reason: String) {
        self.reason = reason
    }
}
