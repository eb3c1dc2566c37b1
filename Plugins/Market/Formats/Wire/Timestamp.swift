import CivilDate
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

    /// Parses the date of HTTP (RFC 9110), `Fri, 02 Jan 2026 15:04:05 GMT`.
    package static func parseHTTPDate(_ text: some StringProtocol) -> Instant? {
        let words = String(text.prefix(64)).split(whereSeparator: { $0 == " " || $0 == "," || $0 == ":" as Character })
        guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: words[2].lowercased()),
            let date = CivilDate(year: year, month: month + 1, day: day), let hour = Int(words[4]),
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
