import Conversation
import Domain
package import Foundation
package import Runtime

/// A production turn that an operator exports, to be converted into a fixture.
package struct ProductionTurn: Sendable, Codable {
    /// An earlier turn of the conversation.
    package struct Earlier: Sendable, Codable {
        var said: String
        var answered: String?
    }

    var said: String
    var answered: String?
    var level: Level
    var flags: [String]
    var source: ReplySource?
    var language: String?
    var spoken_at: Date
    /// Names of all persons: the patient first, then the family.
    var names: [String]
    var earlier: [Earlier]?

    /// Reasons for which no fixture was made.
    package enum Refusal: Error, Equatable {
        /// The document is not a turn.
        case unreadable(reason: String)
        /// Something may still identify a person; carries the suspicious pieces.
        case mayIdentifyPerson([String])
    }

    /// Parses a turn from JSON.
    package init(json: [UInt8]) throws(Refusal) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            self = try decoder.decode(ProductionTurn.self, from: Data(json))
        } catch {
            throw .unreadable(reason: "\(error)")
        }
    }

    /// Converts the turn into a pseudonymised test case.
    ///
    /// The original decisions become draft assertions. The case is skipped until a person has reviewed it and removes
    /// `skip`.
    ///
    /// - Parameter shift: Offset added to all instants, in seconds.
    package func fixture(id: String, shift: TimeInterval) throws(Refusal) -> JSONValue {
        let pseudonymiser = Pseudonymiser(names: names, shift: shift)
        var given: [String: JSONValue] = [
            "clock": .string(pseudonymiser.date(spoken_at).formatted(.iso8601)),
            "patient": .fields([
                "name": .string(names.first.map(pseudonymiser.text) ?? "Maggie"),
                "language": .string(language ?? "en-US"),
            ]),
        ]
        if let earlier, !earlier.isEmpty {
            given["earlier"] = .array(
                earlier.map { turn in
                    var exchange: [String: JSONValue] = ["user": .string(pseudonymiser.text(turn.said))]
                    exchange["reply"] = turn.answered.map { .string(pseudonymiser.text($0)) }
                    return .fields(exchange)
                }
            )
        }
        if source == .model, let answered {
            given["model"] = .fields(["says": .string(pseudonymiser.text(answered))])
        }
        let test = JSONValue.fields([
            "id": .string(id), "skip": .string("draft from production; a person must look at it"),
            "given": .fields(given), "vars": .fields(["message": .string(pseudonymiser.text(said))]),
            "assert": .array(assertions),
        ])
        let spoken = [given["earlier"], given["model"], given["patient"]].compactMap { $0?.text }
        let remains = pseudonymiser.remains(in: (spoken + [pseudonymiser.text(said)]).joined(separator: "\n"))
        guard remains.isEmpty else { throw .mayIdentifyPerson(remains) }
        return test
    }

    private var assertions: [JSONValue] {
        let isScam = flags.contains(Category.scam.rawValue)
        var assertions: [JSONValue] = [
            .fields(["type": .string("alert-level"), "value": .string(level.rawValue)]),
            .fields(["type": .string(isScam ? "scam-flag" : "not-scam-flag")]),
        ]
        if let source { assertions.append(.fields(["type": .string("source"), "value": .string(source.rawValue)])) }
        return assertions
    }
}
