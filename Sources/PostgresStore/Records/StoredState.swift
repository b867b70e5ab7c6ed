import Conversation
import Foundation
import Runtime

/// Stores a conversation's state under the one schema that its `Codable` defines.
enum StoredState {
    /// Encodes the state as a parameter; null when it is empty.
    static func value(of state: ConversationState) -> PostgresValue {
        state == ConversationState() ? .null : StoredJSON.value(of: state)
    }

    /// Encodes the state as an object; nil when it is empty.
    static func json(_ state: ConversationState) -> JSONValue? {
        guard state != ConversationState(), let data = try? JSONEncoder().encode(state) else { return nil }
        return try? JSONReader.read(Array(data))
    }
}

extension PostgresRow {
    /// Reads the next column as a conversation's state; returns nil when it is null.
    mutating func readState() throws(RecordsError) -> ConversationState? { try readJSON() }
}
