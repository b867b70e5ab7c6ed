import Cryptography
import HTTPServing
import Runtime

/// A file that pages refer to, under a name that changes with its content.
struct AssetFile: Sendable {
    let bytes: [UInt8]
    let mediaType: String
    /// The name in its address: the file's own with a piece of its digest.
    let name: String

    init(_ stem: String, _ ending: String, mediaType: String, _ bytes: [UInt8]) {
        self.bytes = bytes
        self.mediaType = mediaType
        name = "\(stem).\(Digest.sha256(bytes).hex.prefix(16)).\(ending)"
    }

    var path: ConsolePath { ConsolePath("assets", name) }

    /// The file, or "not modified" to a browser that has it; good for ever, since another content has another name.
    func response(to request: HTTPRequest) -> HTTPResponse {
        let tag = "\"\(name)\""
        let headers = HeaderFields([
            "Content-Type": mediaType, "ETag": tag, "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        ])
        guard request.headers["If-None-Match"] != tag else { return HTTPResponse(status: 304, headers: headers) }
        return HTTPResponse(status: 200, headers: headers, body: .bytes(bytes))
    }
}
