import Runtime

/// JSON form of a recording's file.
extension RecordedExchange {
    /// Parses a recording; nil if the value has another form.
    init?(_ json: JSONValue) {
        guard json["schema"]?.integer == Self.currentSchema, let method = json["method"]?.string,
            let path = json["path"]?.string, let body = json["body"], let status = json["status"]?.integer,
            let headers = json["headers"]?.fields, let headAt = json["head_at"]?.number,
            let pieces = json["pieces"]?.array, let isCutOff = json["is_cut_off"]?.bool
        else { return nil }
        let read = pieces.compactMap(Piece.init)
        guard read.count == pieces.count else { return nil }
        self.method = method
        self.path = path
        self.body = body
        self.status = status
        self.headers = headers.compactMapValues(\.string)
        self.headAt = headAt
        self.pieces = read
        self.isCutOff = isCutOff
    }

    /// The recording as JSON.
    var json: JSONValue {
        .members([
            "schema": .integer(Self.currentSchema), "method": .string(method), "path": .string(path), "body": body,
            "status": .integer(status), "headers": .fields(headers.mapValues { .string($0) }), "head_at": .real(headAt),
            "pieces": .array(pieces.map(\.json)), "is_cut_off": .bool(isCutOff),
        ])
    }
}

extension RecordedExchange.Piece {
    init?(_ json: JSONValue) {
        guard let at = json["at"]?.number, json["text"] != nil || json["base64"] != nil else { return nil }
        self.at = at
        text = json["text"]?.string
        base64 = json["base64"]?.string
    }

    var json: JSONValue {
        .members(["at": .real(at), "text": text.map { .string($0) }, "base64": base64.map { .string($0) }])
    }
}
