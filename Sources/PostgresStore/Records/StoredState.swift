import Conversation
import Foundation
import Runtime

/// Stores a conversation's state under the one schema that its `Codable` defines.
enum StoredState {
    /// The state as a parameter; null when it carries nothing.
    static func value(of state: ConversationState) -> PostgresValue {
        state == ConversationState() ? .null : StoredJSON.value(of: state)
    }

    /// The state as an object; nil when it carries nothing.
    static func json(_ state: ConversationState) -> JSONValue? {
        guard state != ConversationState(), let data = try? JSONEncoder().encode(state) else { return nil }
        return try? JSONReader.read(Array(data))
    }
}

extension PostgresRow {
    /// Reads the next column as a conversation's state; nil when it is null.
    mutating func readState() throws(RecordsError) -> ConversationState? { try readJSON() }
}
