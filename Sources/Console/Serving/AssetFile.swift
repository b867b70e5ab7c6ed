import Cryptography
import HTTPServing
import Runtime

/// A static file whose name changes with its content.
struct AssetFile: Sendable {
    let bytes: [UInt8]
    let mediaType: String
    /// Name in its address: the stem, a part of the digest and the extension.
    let name: String

    init(_ stem: String, _ ending: String, mediaType: String, _ bytes: [UInt8]) {
        self.bytes = bytes
        self.mediaType = mediaType
        name = "\(stem).\(Digest.sha256(bytes).hex.prefix(16)).\(ending)"
    }

    var path: ConsolePath { ConsolePath("assets", name) }

    /// The file, or 304 for a browser that has it.
    ///
    /// Cacheable for ever, because other content has another name.
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
