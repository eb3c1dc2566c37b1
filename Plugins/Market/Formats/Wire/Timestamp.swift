import CivilDate
package import Time

/// Times as providers write them.
package enum Timestamp {
    /// Parses RFC 3339, `2026-01-02T15:04:05.123Z`, and the form with blanks of rate limits, `2026-01-02 15:04:05 +0000`.
    package static func parse(_ text: some StringProtocol) -> Instant? {
        let bytes = Array(text.utf8.prefix(64))
        guard bytes.count >= 19, let day = CivilDate(String(decoding: bytes[..<10], as: UTF8.self)),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]), bytes[13] == bytes[16],
            bytes[13] == UInt8(ascii: ":"), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            milliseconds = number(digits.prefix(3) + [UInt8](repeating: 0x30, count: max(0, 3 - digits.count))) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
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

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(Int?.some(0)) { sum, byte in
            guard let sum, (0x30...0x39).contains(byte) else { return nil }
            return sum * 10 + Int(byte - 0x30)
        }
    }

    /// Minutes east of UTC: `Z`, `+0000` or `+00:00`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual([UInt8(ascii: "Z")]) || text.elementsEqual([UInt8(ascii: "z")]) { return 0 }
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let hours = number(digits[..<2]), let minutes = number(digits[2...]), hours < 24,
            minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}
