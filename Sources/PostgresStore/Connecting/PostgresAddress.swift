import CPostgres
import Foundation

/// Where a database is and how to get in: libpq's connection parameters.
package struct PostgresAddress: Sendable, Equatable, CustomStringConvertible {
    /// Why text is no address.
    package enum Malformed: Error, Equatable {
        /// What libpq says of it.
        case conninfo(reason: String)
    }

    /// The parameters that were given, by libpq's keywords.
    package private(set) var parameters: [String: String]

    /// Reads a URL (`postgresql://user:password@host:5432/database?sslmode=require`) or libpq's keyword form
    /// (`host=/run/hearth user=postgres dbname=hearth`).
    package init(_ text: String) throws(Malformed) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            throw .conninfo(reason: PostgresText.line(message))
        }
        defer { PQconninfoFree(options) }
        parameters = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
    }

    /// Makes an address from libpq's keywords.
    package init(parameters: [String: String]) {
        self.parameters = parameters
    }

    /// The same server, another database.
    package func database(_ name: String) -> PostgresAddress {
        with("dbname", name)
    }

    /// This address with one parameter changed.
    package func with(_ keyword: String, _ value: String) -> PostgresAddress {
        var copy = self
        copy.parameters[keyword] = value
        return copy
    }

    /// This address with parameters that it does not name itself.
    func filled(with defaults: [String: String]) -> PostgresAddress {
        PostgresAddress(parameters: parameters.merging(defaults) { own, _ in own })
    }

    /// The address without its secrets, for logs.
    package var description: String {
        let shown = ["host", "hostaddr", "port", "dbname", "user"]
        return shown.compactMap { key in parameters[key].map { "\(key)=\($0)" } }.joined(separator: " ")
    }

    /// Calls with the parameters as libpq's two null-terminated arrays.
    func withKeywordsAndValues<Value>(
        _ body: (_ keywords: UnsafePointer<UnsafePointer<CChar>?>, _ values: UnsafePointer<UnsafePointer<CChar>?>) ->
            Value
    ) -> Value {
        let pairs = parameters.sorted { $0.key < $1.key }
        return CStrings.with(pairs.map(\.key)) { keywords in
            CStrings.with(pairs.map(\.value)) { values in body(keywords, values) }
        }
    }
}

/// Arrays of C strings for the length of a call.
enum CStrings {
    /// Calls with the texts as a null-terminated array of C strings.
    static func with<Value>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array has at least its end") }
            return body(base)
        }
    }
}
