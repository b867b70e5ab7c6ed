import Foundation

/// What stands around the text in the events of one stream, which hosts repeat byte for byte in each.
///
/// Where an event has the same bytes around a plain text, the text is all that is new, and no tree is made of it. What an
/// event says depends on its bytes alone, so the text is the one that reading the whole event would bring.
struct EventFrame: Equatable {
    private let name: String
    private let head: ArraySlice<UInt8>
    private let tail: ArraySlice<UInt8>

    /// Learns from an event that says a text and nothing else.
    ///
    /// Nil where it is not certain which bytes are the text: where there is an escape, or the same text stands there twice.
    init?(of event: ServerSentEvents.Event, saying text: String) {
        let quoted = Array("\"\(text)\"".utf8)
        let data = event.data
        guard !data.contains(UInt8(ascii: "\\")), let place = data.place(of: quoted, from: 0),
            data.place(of: quoted, from: place + 1) == nil
        else { return nil }
        name = event.name
        head = data[...place]
        tail = data[(place + quoted.count - 1)...]
    }

    /// The text of an event that has this frame; nil for one that must be read whole.
    func text(of event: ServerSentEvents.Event) -> String? {
        guard event.name == name, event.data.count > head.count + tail.count else { return nil }
        return event.data.withUnsafeBytes { bytes in
            guard head.isEqual(to: bytes[..<head.count]), tail.isEqual(to: bytes[(bytes.count - tail.count)...]) else {
                return nil
            }
            let middle = UnsafeRawBufferPointer(rebasing: bytes[head.count..<(bytes.count - tail.count)])
            guard middle.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
                return nil
            }
            return String(validating: middle, as: UTF8.self)
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func isEqual(to bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        withUnsafeBytes { own in
            guard let one = own.baseAddress, let other = UnsafeRawBufferPointer(rebasing: bytes).baseAddress else {
                return own.isEmpty && bytes.isEmpty
            }
            return own.count == bytes.count && memcmp(one, other, own.count) == 0
        }
    }
}

extension [UInt8] {
    /// Where some bytes stand first from a place on.
    fileprivate func place(of part: [UInt8], from start: Int) -> Int? {
        guard let first = part.first, count >= part.count else { return nil }
        return (start..<Swift.max(start, count - part.count + 1)).first { place in
            self[place] == first && self[place..<(place + part.count)].elementsEqual(part)
        }
    }
}
