/// What goes wrong with a port of the pipeline in a fixture.
package enum PortFault: Sendable, Equatable {
    /// A call of the pipeline on a port.
    package enum Port: String, Sendable, CaseIterable {
        case remember, recall, record, commit
    }

    /// It fails at once.
    case away
    /// It takes so long; longer than the stage may take, it times out.
    case slow(Duration)
}
