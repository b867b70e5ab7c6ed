import Evaluation
import Foundation

/// What people's labels have shown of a judge; kept beside the fixtures.
struct JudgeCredentials: Codable, Sendable {
    /// Which judge: the model and the words that it is asked with.
    let judge: String
    /// How far it agreed.
    let agreement: Agreement

    /// Reads credentials; nil when there are none.
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
