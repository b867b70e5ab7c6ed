import Cryptography

/// One step of the schema: the statements that take it and the statements that take it back.
///
/// The texts are part of the program, so that they are found from any working directory. A migration that has been
/// released is never edited: its checksum is recorded with the database, and another text under the same number is
/// refused.
package struct Migration: Sendable, Equatable {
    /// Its place in the order, from 1, without gaps.
    package let version: Int
    /// What it does, in a few words joined by underscores.
    package let name: String
    /// The statements that take the step.
    package let up: String
    /// The statements that take it back; what was written since is lost.
    package let down: String

    /// Makes a migration.
    package init(version: Int, name: String, up: String, down: String) {
        self.version = version
        self.name = name
        self.up = up
        self.down = down
    }

    /// The digest of both texts, in hexadecimal.
    package var checksum: String { Digest.sha256("\(up)\u{0}\(down)").hex }

    /// Every migration of this program, in order.
    package static let all: [Migration] = [
        .people, .conversations, .recollection, .queues, .operation, .resumption, .alerting, .releases, .console,
        .requests, .lulls, .thrift, .recurrence,
    ]
}
