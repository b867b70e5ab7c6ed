import Runtime

extension LanguageModel {
    /// Asks the model and reads the answer up to a number of characters; does not wait for the rest.
    ///
    /// Returns the incomplete answer when the token limit has ended it.
    ///
    /// - Throws: ``ModelError``, with `empty` for an answer without text.
    func answer(to prompt: Prompt, atMost limit: Int, by deadline: Deadline) async throws(ModelError) -> String {
        let generation = try await generate(prompt, by: deadline)
        defer { generation.stop() }
        var answer = ""
        var room = limit
        do throws(ModelError) {
            while room > 0, let piece = try await generation.next() {
                answer += piece.prefix(room)
                room -= piece.count
            }
        } catch .tokenLimit where !answer.isEmpty {
            return answer
        }
        return answer
    }
}
