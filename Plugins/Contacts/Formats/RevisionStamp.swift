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
