import Conversation
import Foundation
import Runtime

/// A conversation's state as its column holds it, under the names and in the form of its `Codable`.
///
/// Written and read without a coder, since every turn does both.
enum StoredState {
    /// The state as a parameter; null when it carries nothing.
    static func value(of state: ConversationState) -> PostgresValue {
        json(state).map { .json($0.bytes) } ?? .null
    }

    /// The state as an object; nil when it carries nothing.
    static func json(_ state: ConversationState) -> JSONValue? {
        guard state != ConversationState() else { return nil }
        return .members([
            "check": state.check.map(json),
            "waiting": .array(state.waiting.map(json)),
            "risk": .object(state.risk.map { JSONValue.Member(name: $0, value: .number("\($1)")) }),
            "riskAt": state.riskAt.map(json),
            "disclosedOn": state.disclosedOn.map { .string($0) },
            "offeredAt": state.offeredAt.map(json),
        ])
    }

    /// The state of some bytes; nil when they hold something else.
    static func state(from bytes: [UInt8]) -> ConversationState? {
        guard let json = try? JSONReader.read(bytes), case .object(let risk)? = json["risk"],
            let stored = json["waiting"].map(\.array) ?? []
        else { return nil }
        let waiting = stored.compactMap(check)
        let levels = risk.compactMap { member in member.value.number.map { (member.name, $0) } }
        guard waiting.count == stored.count, levels.count == risk.count else { return nil }
        let open = json["check"].flatMap { $0.isNull ? nil : $0 }
        let check = open.flatMap(check)
        guard (check == nil) == (open == nil) else { return nil }
        return ConversationState(
            check: check,
            waiting: waiting,
            risk: Dictionary(levels) { first, _ in first },
            riskAt: json["riskAt"]?.number.map(Date.init(timeIntervalSinceReferenceDate:)),
            disclosedOn: json["disclosedOn"]?.string,
            offeredAt: json["offeredAt"]?.number.map(Date.init(timeIntervalSinceReferenceDate:))
        )
    }

    private static func json(_ check: ConversationState.Check) -> JSONValue {
        [
            "category": .string(check.category.rawValue),
            "level": .string(check.level.rawValue),
            "askedAt": json(check.askedAt),
            "step": .integer(check.step),
            "asksIfWell": .bool(check.asksIfWell),
        ]
    }

    /// A check that was stored before a field was there has what the field meant then.
    private static func check(_ json: JSONValue) -> ConversationState.Check? {
        guard let category = json["category"]?.string.flatMap(Category.init(rawValue:)),
            let level = json["level"]?.string.flatMap(Level.init(rawValue:)),
            let askedAt = json["askedAt"]?.number, let step = json["step"]?.integer
        else { return nil }
        return ConversationState.Check(
            category: category,
            level: level,
            askedAt: Date(timeIntervalSinceReferenceDate: askedAt),
            step: step,
            asksIfWell: json["asksIfWell"]?.bool ?? false
        )
    }

    private static func json(_ date: Date) -> JSONValue {
        .number("\(date.timeIntervalSinceReferenceDate)")
    }
}

extension PostgresRow {
    /// Reads the next column as a conversation's state; nil when it is null.
    mutating func readState() throws(RecordsError) -> ConversationState? {
        guard let stored = try readIfPresent(StoredBytes.self) else { return nil }
        guard let state = StoredState.state(from: stored.bytes) else { throw unreadable("is no state") }
        return state
    }
}
