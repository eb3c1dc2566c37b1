import CivilDate
import MarketDomain
package import Time

/// Times as providers write them.
package enum Timestamp {
    /// Parses RFC 3339, `2026-01-02T15:04:05.123Z`, and the form with blanks of rate limits, `2026-01-02 15:04:05 +0000`.
    package static func parse(_ text: String) -> Instant? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard (19...64).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let dayOfMonth = number(bytes[8..<10]), let day = CivilDate(year: year, month: month, day: dayOfMonth),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            var unit = 100
            let start = rest.startIndex
            while let digit = rest.first, (0x30...0x39).contains(digit) {
                milliseconds += Int(digit - 0x30) * unit
                unit /= 10
                rest.removeFirst()
            }
            guard rest.startIndex > start else { return nil }
        }
        if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        guard let offset = offset(rest) else { return nil }
        let seconds = day.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset * 60
        return Instant(milliseconds: Int64(seconds * 1000 + milliseconds))
    }

    /// Parses the date of HTTP in its three forms (RFC 9110, 5.6.7): `Fri, 02 Jan 2026 15:04:05 GMT`, `Friday, 02-Jan-26
    /// 15:04:05 GMT` and `Fri Jan  2 15:04:05 2026`.
    package static func parseHTTPDate(_ text: some StringProtocol) -> Instant? {
        var words = String(text.prefix(64)).split(whereSeparator: { " ,:-".contains($0) }).map(String.init)
        if words.count == 7 { words = [words[0], words[2], words[1], words[6], words[3], words[4], words[5], "GMT"] }
        guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), var year = Int(words[3]),
            let month = months.firstIndex(of: words[2].lowercased())
        else { return nil }
        // Two digits are of this century: the form is older than it, the answers are not.
        if words[3].utf8.count == 2 { year += 2000 }
        guard let date = CivilDate(year: year, month: month + 1, day: day), let hour = Int(words[4]),
            let minute = Int(words[5]), let second = Int(words[6]), (0..<24).contains(hour), (0..<60).contains(minute),
            (0...60).contains(second)
        else { return nil }
        return Instant(
            milliseconds: Int64(date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + min(second, 59)) * 1000)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    /// Minutes east of UTC: `Z`, `+0000` or `+00:00`.
    private static func offset(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let sign = text.first else { return nil }
        let digits = text.dropFirst()
        if sign | 0x20 == UInt8(ascii: "z") { return digits.isEmpty ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            digits.count == 4 || digits.count == 5 && digits[digits.startIndex + 2] == UInt8(ascii: ":"),
            let hours = number(digits.prefix(2)), let minutes = number(digits.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}
