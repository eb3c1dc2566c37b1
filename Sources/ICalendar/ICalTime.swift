package import CivilDate

/// A day, or a moment of it, as calendars write them (RFC 5545 §3.3.4 and §3.3.5).
package struct ICalTime: Hashable, Sendable {
    /// The day as it is written; of a time in UTC, the day in UTC.
    package var date: CivilDate
    /// Seconds since midnight; nil for a whole day.
    package var second: Int?
    /// Whether the time is one of UTC.
    package var isUTC: Bool
    /// The zone of the time by the name that the calendar gives it; nil for UTC, for a whole day, and for a time that is
    /// wherever one is.
    package var zone: String?

    /// A whole day.
    package init(date: CivilDate) {
        self.date = date
        (second, isUTC, zone) = (nil, false, nil)
    }

    /// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z; parts of a second are left out.
    package init(milliseconds: Int64) {
        let seconds = Int(milliseconds / 1000) - (milliseconds % 1000 < 0 ? 1 : 0)
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        date = CivilDate(daysSinceEpoch: days)
        (second, isUTC, zone) = (seconds - days * 86_400, true, nil)
    }

    /// Parses `20261120`, `20261120T093000` or `20261120T093000Z`; nil for anything else.
    package init?(_ text: some StringProtocol, zone: String? = nil) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?.some(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        guard [8, 15, 16].contains(bytes.count), let year = number(0..<4), let month = number(4..<6),
            let day = number(6..<8), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self.init(date: date)
        guard bytes.count > 8 else { return }
        guard bytes[8] == UInt8(ascii: "T") || bytes[8] == UInt8(ascii: "t"), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), hour < 24, minute < 60, second <= 60
        else { return nil }
        self.second = hour * 3600 + minute * 60 + min(second, 59)
        if bytes.count == 16 {
            guard bytes[15] == UInt8(ascii: "Z") || bytes[15] == UInt8(ascii: "z") else { return nil }
            isUTC = true
        } else {
            self.zone = zone
        }
    }

    /// The moment in milliseconds since 1970-01-01T00:00:00Z; nil unless the time is one of UTC.
    package var milliseconds: Int64? {
        guard isUTC, let second else { return nil }
        return (Int64(date.daysSinceEpoch) * 86_400 + Int64(second)) * 1000
    }
}

extension ICalTime: CustomStringConvertible {
    /// As calendars write it.
    package var description: String {
        let day = String(date.description.filter { $0 != "-" })
        guard let second else { return day }
        let clock = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        return "\(day)T\(clock)\(isUTC ? "Z" : "")"
    }
}
