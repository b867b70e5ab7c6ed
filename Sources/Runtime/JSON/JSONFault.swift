/// Why bytes are no JSON text, with the byte at which that shows, counted from 0.
package enum JSONFault: Error, Equatable {
    /// There is no value at all.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd(offset: Int)
    /// A byte that cannot stand where it does.
    case unexpectedByte(UInt8, offset: Int)
    /// Bytes that are no UTF-8.
    case invalidUTF8(offset: Int)
    /// A control character inside a string that is not escaped.
    case controlCharacter(UInt8, offset: Int)
    /// A backslash with something after it that is no escape.
    case invalidEscape(offset: Int)
    /// Half of a surrogate pair, which is no character.
    case loneSurrogate(offset: Int)
    /// A number that breaks the grammar, such as 01 or 1.
    case invalidNumber(offset: Int)
    /// An object that names a member twice; which of them is meant cannot be known.
    case duplicateName(offset: Int)
    /// More values inside each other than may be.
    case tooDeep(limit: Int, offset: Int)
    /// Something after the value.
    case trailing(offset: Int)

    /// The byte at which the fault shows.
    package var offset: Int {
        switch self {
        case .empty: 0
        case .unexpectedEnd(let offset), .unexpectedByte(_, let offset), .invalidUTF8(let offset),
            .controlCharacter(_, let offset), .invalidEscape(let offset), .loneSurrogate(let offset),
            .invalidNumber(let offset), .duplicateName(let offset), .tooDeep(_, let offset), .trailing(let offset):
            offset
        }
    }

    /// What is wrong, in words without the text itself.
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
