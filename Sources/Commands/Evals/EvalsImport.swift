import Cryptography
import Evaluation
import Foundation
import Runtime

/// `hearth evals import`: prints a production turn as a suite.
struct EvalsImport: Sendable {
    private let arguments: EvalsArguments

    init(_ arguments: EvalsArguments) {
        self.arguments = arguments
    }

    func perform() throws(CommandFailure) -> ExitCode {
        let path = try arguments.word(0, "a file: a turn of production, as .json")
        guard path.hasSuffix(".json") else {
            throw CommandFailure("\(path) is no .json file with a turn of production.", .usage)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path) cannot be read.")
        }
        let test = try turn(Array(data), path)
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        Terminal.out("suite: \(JSONValue.string(name).quoted)\ntests:\n  - \(test.text)")
        return .success
    }

    private func turn(_ json: [UInt8], _ path: String) throws(CommandFailure) -> JSONValue {
        // The name identifies the turn only to people who have its file.
        let id = "production-\(Digest.sha256(json).hex.prefix(8))"
        let days = Double(RandomToken.bytes(count: 1)[0] % 180) + 1
        do throws(ProductionTurn.Refusal) {
            return try ProductionTurn(json: json).fixture(id: id, shift: -days * 7 * 86_400)
        } catch {
            switch error {
            case .unreadable(let reason): throw CommandFailure("\(path) is not a turn: \(reason)")
            case .mayIdentifyPerson(let pieces):
                throw CommandFailure(
                    "\(pieces.count) pieces still look as if they named somebody; add the names to \"names\" and try again."
                )
            }
        }
    }
}

extension JSONValue {
    /// The value as JSON; a text in quotes.
    fileprivate var quoted: String {
        if case .string = self { return String(JSONValue.array([self]).text.dropFirst().dropLast()) }
        return text
    }
}
