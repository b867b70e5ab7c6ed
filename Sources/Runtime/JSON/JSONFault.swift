/// A reason why bytes are not JSON text, with the offset of the fault, counted from 0.
package enum JSONFault: Error, Equatable {
    /// There is no value.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd(offset: Int)
    /// A byte is not allowed in its place.
    case unexpectedByte(UInt8, offset: Int)
    /// The bytes are not UTF-8.
    case invalidUTF8(offset: Int)
    /// A control character inside a string is not escaped.
    case controlCharacter(UInt8, offset: Int)
    /// A backslash does not begin an escape.
    case invalidEscape(offset: Int)
    /// Half of a surrogate pair stands alone.
    case loneSurrogate(offset: Int)
    /// A number breaks the grammar, such as 01 or 1.
    case invalidNumber(offset: Int)
    /// An object names a member twice, so that its value is ambiguous.
    case duplicateName(offset: Int)
    /// Values are nested deeper than the limit.
    case tooDeep(limit: Int, offset: Int)
    /// Bytes follow the value.
    case trailing(offset: Int)

    /// The offset of the fault.
    package var offset: Int {
        switch self {
        case .empty: 0
        case .unexpectedEnd(let offset), .unexpectedByte(_, let offset), .invalidUTF8(let offset),
            .controlCharacter(_, let offset), .invalidEscape(let offset), .loneSurrogate(let offset),
            .invalidNumber(let offset), .duplicateName(let offset), .tooDeep(_, let offset), .trailing(let offset):
            offset
        }
    }

    /// The fault in words, without the text itself.
    package var reason: String {
        switch self {
        case .empty: "the body is empty"
        case .unexpectedEnd: "the text ends too early"
        case .unexpectedByte: "a character is out of place"
        case .invalidUTF8: "the bytes are not UTF-8"
        case .controlCharacter: "a control character must be escaped"
        case .invalidEscape: "an escape is not valid"
        case .loneSurrogate: "half of a surrogate pair stands alone"
        case .invalidNumber: "a number is not valid"
        case .duplicateName: "an object names a member twice"
        case .tooDeep(let limit, _): "values are nested more than \(limit) deep"
        case .trailing: "something follows the value"
        }
    }
}
