import CivilDate

/// Moments as HTTP writes them (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970-01-01 UTC of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
            let day = number(words[1]), let year = number(words[3]),
            let date = CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let time = words[4].split(separator: ":").map { number($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2], hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return Int64(date.daysSinceEpoch) * 86400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 4 && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(text) : nil
    }
}
