import Evaluation
import Foundation

/// Result of calibrating a judge against human labels; stored beside the fixtures.
struct JudgeCredentials: Codable, Sendable {
    /// Digest of the judge: the model and its instructions.
    let judge: String
    /// Agreement of the judge with the labels.
    let agreement: Agreement

    /// Reads credentials; nil if there are none.
    static func read(_ path: String) throws(CommandFailure) -> JudgeCredentials? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let credentials = try? JSONDecoder().decode(JudgeCredentials.self, from: data) else {
            throw CommandFailure("\(path) holds no credentials of a judge.")
        }
        return credentials
    }

    /// Whether they let a model gate.
    func holds(for model: String) -> Bool {
        judge == RubricJudge.digest(of: model) && agreement.isEnough
    }
}
