/// Who hears a line of ours.
struct Listener: Sendable, Equatable {
    /// The language that the line is said in.
    let language: String
    /// Whether somebody close may be the danger, and may be in the room: nobody is said to be told.
    let isUnannounced: Bool
}
