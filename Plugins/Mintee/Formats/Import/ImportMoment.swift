import CivilDate

/// Parses times in the formats of other programs.
enum ImportMoment {
    /// Parses `20261120T220000Z`, `2026-11-20T22:00:00.000Z` or plain seconds to milliseconds since
    /// 1970-01-01T00:00:00Z; nil for anything else. Only UTC is supported.
    static func milliseconds(_ text: String) -> Double? {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }
        if digits.count == text.utf8.count { return Double(text).map { $0 * 1000 } }
        guard text.hasSuffix("Z"), digits.count >= 14, text.contains("T") else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard let day = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)),
            number(8..<10) < 24, number(10..<12) < 60, number(12..<14) <= 60
        else { return nil }
        let seconds = day.daysSinceEpoch * 86_400 + number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
        return Double(seconds) * 1000
    }

    /// Returns the local day of such a time, optionally moved by milliseconds, or of a plain `yyyy-MM-dd`.
    static func day(_ text: String?, _ setting: ImportSetting, movedBy milliseconds: Double = 0) -> CivilDate? {
        guard let text else { return nil }
        return CivilDate(text) ?? self.milliseconds(text).flatMap { setting.day(at: $0 + milliseconds) }
    }
}
