import CivilDate

/// The timestamp of `REV`: UTC in the basic format of ISO 8601, in seconds.
enum RevisionStamp {
    /// Formats `time`, in milliseconds since 1970 UTC, as `20261120T091200Z`.
    static func text(_ time: Int64) -> String {
        let seconds = Int(time >= 0 ? time / 1000 : (time - 999) / 1000)
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - day * 86_400
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = CivilDate(daysSinceEpoch: day).description.filter { $0 != "-" }
        return "\(date)T\(padded(rest / 3600))\(padded(rest / 60 % 60))\(padded(rest % 60))Z"
    }
}

extension RevisionStamp {
    /// Parses a timestamp in the basic or extended format, in milliseconds since 1970 UTC; nil if it is not valid.
    static func time(_ text: String) -> Int64? {
        let digits = text.filter { $0 != "-" && $0 != ":" }.split(separator: "T")
        guard let date = digits.first, date.utf8.count == 8, let number = Int(date),
            let day = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        else { return nil }
        let clock = digits.count > 1 ? digits[1].prefix(6) : "000000"
        guard clock.utf8.count == 6, let time = Int(clock), (0..<24).contains(time / 10_000),
            (0..<60).contains(time / 100 % 100), (0..<61).contains(time % 100)
        else { return nil }
        let seconds = day.daysSinceEpoch * 86_400 + time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100
        return Int64(seconds) * 1000
    }
}

extension Card {
    /// The time of the last change by `REV`, in milliseconds since 1970 UTC.
    package var revisedAt: Int64? { first(.revision).flatMap { RevisionStamp.time(trimmedText(properties[$0])) } }

    /// Returns the card with `REV` set to `time`, in milliseconds since 1970 UTC.
    package func revised(at time: Int64) -> Card {
        var patch = CardPatch(self)
        patch.setRevision(time)
        return Card(patch.bytes())
    }
}
