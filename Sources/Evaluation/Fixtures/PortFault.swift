/// A fault of one of the pipeline's ports in a fixture.
package enum PortFault: Sendable, Equatable {
    /// A call of the pipeline to a port.
    package enum Port: String, Sendable, CaseIterable {
        case remember, recall, record, commit
    }

    /// The port is unavailable and fails at once.
    case away
    /// The port takes this long; beyond the stage's budget it times out.
    case slow(Duration)
}
