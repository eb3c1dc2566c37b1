import CivilDate

/// The time stamp of `REV`: UTC in the basic form of ISO 8601, to the second.
enum RevisionStamp {
    /// `time`, in milliseconds since 1970 UTC, as `20261120T091200Z`.
    static func text(_ time: Int64) -> String {
        let seconds = Int(time >= 0 ? time / 1000 : (time - 999) / 1000)
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - day * 86_400
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = CivilDate(daysSinceEpoch: day).description.filter { $0 != "-" }
        return "\(date)T\(padded(rest / 3600))\(padded(rest / 60 % 60))\(padded(rest % 60))Z"
    }
}

extension Card {
    /// When the card says it was revised (`REV`), in milliseconds since 1970 UTC; nil when it does not say it in a form
    /// of ISO 8601. A zone is passed over: only the order of two cards is asked for.
    package var revisedAt: Int64? {
        guard let place = first(.revision) else { return nil }
        let digits = trimmedText(properties[place]).filter { $0.isASCII && $0.isNumber }
        func number(_ start: Int, _ count: Int) -> Int? {
            guard digits.count >= start + count else { return nil }
            return Int(digits.dropFirst(start).prefix(count))
        }
        guard let year = number(0, 4), let month = number(4, 2), let day = number(6, 2),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let seconds = (number(8, 2) ?? 0) * 3600 + (number(10, 2) ?? 0) * 60 + (number(12, 2) ?? 0)
        return Int64(date.daysSinceEpoch * 86_400 + seconds) * 1000
    }
}
