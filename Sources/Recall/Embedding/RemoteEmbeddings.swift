package import Conversation
import Foundation
package import HTTPClient
package import Runtime

/// Embeds sentences by another service, over the embeddings call that OpenAI made common.
///
/// `POST {url}/embeddings` with a model and one input; hosted providers, llama.cpp, vLLM, Ollama and
/// text-embeddings- inference answer it. Vectors are made unit length. They are not centred: how another
/// model's vectors lie is not known here. What a patient says leaves the machine; the operator chooses that
/// by naming a service.
package final class RemoteEmbeddings: SentenceEmbedder {
    /// Which service, and which of its models.
    package struct Settings: Sendable, Equatable {
        /// The service's base, such as `https://api.example.com/v1`.
        package var url: String
        /// The model as the service calls it.
        package var model: String
        /// The key that is sent as a bearer token; nil sends none.
        package var key: String?
        /// How many numbers the model's vectors have.
        package var dimension: Int
        /// The most characters of a sentence that are sent.
        package var maximumCharacters: Int

        /// Makes settings.
        package init(
            url: String,
            model: String,
            key: String? = nil,
            dimension: Int,
            maximumCharacters: Int = 1_000
        ) {
            self.url = url
            self.model = model
            self.key = key
            self.dimension = dimension
            self.maximumCharacters = maximumCharacters
        }
    }

    /// A number in JSON takes at most 25 characters with its comma; what else an answer has is short.
    private static let bytesPerNumber = 32
    private static let otherBytes = 64 << 10

    private let client: HTTPClient
    private let settings: Settings

    package let isAvailable = true
    package var space: String { "remote/\(settings.model)/\(settings.dimension)" }
    package var dimension: Int { settings.dimension }

    /// Makes an embedder over a client.
    package init(_ settings: Settings, over client: HTTPClient) {
        self.settings = settings
        self.client = client
    }

    /// The vector of a sentence; a blank one has the zero vector, which is near nothing, and is not sent.
    package func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] {
        let text = sentence.prefix(settings.maximumCharacters).filter { $0 != "\0" }
        if Task.isCancelled { throw .cancelled }
        if text.allSatisfy(\.isWhitespace) { return [Float](repeating: 0, count: dimension) }
        let body: [UInt8]
        do {
            let response = try await client.send(request(for: text), by: deadline)
            guard response.status == 200 else {
                throw RecallError.engineUnavailable(reason: "the service answered with status \(response.status)")
            }
            body = try await response.collect(upTo: dimension * Self.bytesPerNumber + Self.otherBytes)
        } catch let error as TransferError {
            throw RecallError(error)
        } catch {
            throw (error as? RecallError) ?? .engineUnavailable(reason: "\(error)")
        }
        return try vector(in: body)
    }

    private func request(for text: String) throws(RecallError) -> OutgoingRequest {
        var headers = HeaderFields(["Content-Type": "application/json", "Accept": "application/json"])
        if let key = settings.key { headers.add("Authorization", "Bearer \(key)") }
        let question = Question(model: settings.model, input: text)
        guard let body = try? JSONEncoder().encode(question) else {
            throw .engineUnavailable(reason: "a sentence could not be written as JSON")
        }
        let url = settings.url + (settings.url.hasSuffix("/") ? "embeddings" : "/embeddings")
        return OutgoingRequest(.post, url, headers: headers, body: Array(body), isRepeatable: true)
    }

    private func vector(in body: [UInt8]) throws(RecallError) -> [Float] {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)),
            let vector = answer.data.first?.embedding
        else { throw .engineUnavailable(reason: "the service's answer is not a list of embeddings") }
        guard vector.count == dimension else {
            throw .engineUnavailable(reason: "the service's vectors have \(vector.count) numbers, not \(dimension)")
        }
        let unit = vector.normalized
        guard unit.allSatisfy(\.isFinite) else {
            throw .engineUnavailable(reason: "the service's vectors hold numbers that are not finite")
        }
        return unit
    }

    private struct Question: Encodable {
        let model: String
        let input: String
        let encoding_format = "float"
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            let embedding: [Float]
        }

        let data: [Item]
    }
}

extension RecallError {
    /// What a failed transfer means to who recalls.
    fileprivate init(_ error: TransferError) {
        self =
            switch error {
            case .timedOut(let duration, _): .timedOut(after: duration)
            case .cancelled: .cancelled
            case .tooManyTransfers(let limit): .overloaded(waiting: limit)
            case .stopped: .engineUnavailable(reason: "the service is stopping")
            default: .engineUnavailable(reason: "\(error)")
            }
    }
}
