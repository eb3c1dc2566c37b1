import CivilDate
package import Time

/// Finds the time of a recording in the name that a phone or a recorder gave its file: `20261120_094100.m4a`,
/// `Recording 2026-11-20 09.41.00.wav`, `AUD-20261120-WA0001.opus`.
package enum RecordingName {
    /// Returns the time; midnight when the name only has a day, nil when it has neither.
    package static func time(in name: String) -> LocalTime? {
        let runs = runs(in: Array(name.utf8))
        for index in runs.indices {
            guard let (day, used) = day(runs[index...]) else { continue }
            let last = runs[index + used - 1]
            if used == 1, last.count > 8 {
                return LocalTime(day: day, millisecond: milliseconds([last.dropFirst(8)]) ?? 0)
            }
            let rest = Array(runs[(index + used)...])
            guard let first = rest.first, isSeparator(Array(name.utf8)[last.endIndex..<first.startIndex]) else {
                return LocalTime(day: day)
            }
            return LocalTime(day: day, millisecond: milliseconds(rest) ?? 0)
        }
        return nil
    }

    /// Whether some characters can stand between a day and the time: `_`, `T`, ` at `, and not the letters of a counter.
    private static func isSeparator(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { "-_ .,@Tat".utf8.contains($0) }
    }

    /// The runs of digits in a name, at most sixteen.
    private static func runs(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        Array(bytes.split { !(0x30...0x39).contains($0) }.prefix(16))
    }

    /// The day at the start of some runs, as `20261120` or `2026`, `11`, `20`, and the number of runs that it takes.
    private static func day(_ runs: ArraySlice<ArraySlice<UInt8>>) -> (CivilDate, Int)? {
        guard let first = runs.first else { return nil }
        if [8, 12, 14].contains(first.count) {
            let digits = Array(first)
            guard let day = date(digits[0..<4], digits[4..<6], digits[6..<8]) else { return nil }
            return (day, 1)
        }
        let next = Array(runs.prefix(3))
        guard next.count == 3, next[0].count == 4, next[1].count == 2, next[2].count == 2,
            let day = date(next[0], next[1], next[2])
        else { return nil }
        return (day, 3)
    }

    private static func date(_ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>)
        -> CivilDate?
    {
        let number = value(year)
        guard (1990...2199).contains(number) else { return nil }
        return CivilDate(year: number, month: value(month), day: value(day))
    }

    /// The time of the day as `094100`, `0941`, or `09`, `41`, `00`.
    private static func milliseconds(_ runs: [ArraySlice<UInt8>]) -> Int? {
        guard let first = runs.first else { return nil }
        var parts: [Int]
        switch first.count {
        case 4, 6: parts = stride(from: 0, to: first.count, by: 2).map { value(first.dropFirst($0).prefix(2)) }
        case 2: parts = runs.prefix { $0.count == 2 }.prefix(3).map(value)
        default: return nil
        }
        guard parts.count >= 2 else { return nil }
        parts += [Int](repeating: 0, count: 3 - parts.count)
        guard parts[0] < 24, parts[1] < 60, parts[2] < 60 else { return nil }
        return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000
    }

    private static func value(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
