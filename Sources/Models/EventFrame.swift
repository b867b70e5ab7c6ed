import Foundation

/// The constant bytes around the text in the events of one stream, which hosts repeat in each event.
///
/// If an event has the same bytes around a plain text, only the text is read and no JSON tree is built. The meaning of
/// an event depends on its bytes alone, so the text is the one that a full reading would return.
struct EventFrame: Equatable {
    private let name: String
    private let head: ArraySlice<UInt8>
    private let tail: ArraySlice<UInt8>

    /// Learns from an event that contains only a text.
    ///
    /// Returns nil if the bytes of the text are uncertain: if there is an escape, or the same text occurs twice.
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

    /// Returns the text of an event with this frame; nil for an event that must be read in full.
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
    /// Returns the first position of some bytes at or after a start; nil when there is none.
    fileprivate func place(of part: [UInt8], from start: Int) -> Int? {
        guard let first = part.first, count >= part.count else { return nil }
        return (start..<Swift.max(start, count - part.count + 1)).first { place in
            self[place] == first && self[place..<(place + part.count)].elementsEqual(part)
        }
    }
}
