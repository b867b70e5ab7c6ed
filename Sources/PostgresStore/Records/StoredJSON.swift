import Conversation
import Foundation

/// Stores values as JSON where no search needs columns.
enum StoredJSON {
    /// Encodes a value as a parameter.
    static func value(of value: some Encodable) -> PostgresValue {
        guard let data = try? JSONEncoder().encode(value) else { return .null }
        return .json(Array(data))
    }
}

extension PostgresRow {
    /// Reads the next column as JSON; returns nil when it is null.
    mutating func readJSON<Value: Decodable>(_: Value.Type = Value.self) throws(RecordsError) -> Value? {
        guard let stored = try readIfPresent(StoredBytes.self) else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(stored.bytes))
        } catch {
            throw unreadable("is no \(Value.self)")
        }
    }
}
