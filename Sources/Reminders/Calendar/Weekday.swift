/// A day of the week; the raw value is the one that calendars of Foundation give it.
package enum Weekday: Int, Sendable, Hashable, CaseIterable, Comparable {
    case sunday = 1, monday, tuesday, wednesday, thursday, friday, saturday

    /// Monday to Friday.
    package static let working: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
    /// Saturday and Sunday.
    package static let weekend: Set<Weekday> = [.saturday, .sunday]

    /// Place in a week that begins on Monday, from 0.
    package var place: Int { (rawValue + 5) % 7 }

    /// The two letters that RFC 5545 writes.
    var code: String { ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][rawValue - 1] }

    /// The day of two letters as RFC 5545 writes them; nil when they are none.
    init?(code: some StringProtocol) {
        guard let day = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = day
    }

    /// True if a day comes earlier in a week that begins on Monday.
    package static func < (one: Weekday, other: Weekday) -> Bool { one.place < other.place }
}
