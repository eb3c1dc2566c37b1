package import CivilDate
package import Time

/// When a recording was made, as far as a text says it.
package enum RecordingTime: Hashable, Sendable {
    /// A time on the wall of the place where it was made.
    case local(LocalTime)
    /// A moment: the text names its distance from UTC.
    case moment(Instant)
    /// The day alone.
    case day(CivilDate)
}

/// Finds the time of a recording in the name that a phone or a recorder gave its file, as `20261120_094100.m4a` or
/// `Recording 2026-11-20 at 9.41.00 AM.wav`, or in the date inside a file.
package enum RecordingName {
    /// Returns the time; nil when the text has neither a day nor a Unix time.
    package static func time(in text: String) -> RecordingTime? {
        let digits = DigitRuns(text)
        var day: RecordingTime?
        for index in digits.runs.indices {
            guard let date = digits.date(at: index) else { continue }
            if let time = digits.clock(after: date) { return time }
            if !date.needsClock { day = day ?? .day(date.day) }
        }
        return day ?? digits.unixTime
    }
}

/// The runs of digits in a text, with what is between them.
private struct DigitRuns {
    /// A day, and where its clock would be.
    struct Date {
        let day: CivilDate
        /// The run after its last one.
        let next: Int
        /// The digits of its last run that are not of the day.
        let rest: ArraySlice<UInt8>
        /// Whether six digits are a day only when a time follows.
        let needsClock: Bool
    }

    let bytes: [UInt8]
    /// At most sixteen.
    let runs: [ArraySlice<UInt8>]

    init(_ text: String) {
        bytes = Array(text.utf8)
        runs = Array(bytes.split { !(0x30...0x39).contains($0) }.prefix(16))
    }

    private static func value(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The bytes between a run and the one before it.
    private func gap(before index: Int) -> ArraySlice<UInt8> {
        bytes[runs[index - 1].endIndex..<runs[index].startIndex]
    }

    /// The bytes after a run.
    private func tail(of index: Int) -> ArraySlice<UInt8> {
        bytes[runs[index].endIndex..<(index + 1 < runs.count ? runs[index + 1].startIndex : bytes.endIndex)]
    }

    /// Whether one of some characters, and nothing else, is before a run.
    private func isJoined(_ index: Int, by characters: String) -> Bool {
        index < runs.count && gap(before: index).count == 1 && gap(before: index).allSatisfy(characters.utf8.contains)
    }

    // MARK: Days

    /// The day that begins with a run.
    func date(at index: Int) -> Date? {
        let run = runs[index]
        if [8, 12, 14].contains(run.count) {
            let start = run.startIndex
            return date(run[start..<start + 4], run[start + 4..<start + 6], run[start + 6..<start + 8])
                .map { Date(day: $0, next: index + 1, rest: run.dropFirst(8), needsClock: false) }
        }
        if run.count == 6, isJoined(index + 1, by: "-_ ") {
            let start = run.startIndex
            return CivilDate(
                year: 2000 + Self.value(run[start..<start + 2]), month: Self.value(run[start + 2..<start + 4]),
                day: Self.value(run[start + 4..<start + 6])
            ).map { Date(day: $0, next: index + 1, rest: [], needsClock: true) }
        }
        guard index + 2 < runs.count, isJoined(index + 1, by: "-._/ "), isJoined(index + 2, by: "-._/ "),
            gap(before: index + 1).first == gap(before: index + 2).first, runs[index + 1].count <= 2
        else { return nil }
        let (first, second, third) = (run, runs[index + 1], runs[index + 2])
        var day: CivilDate?
        if first.count == 4, third.count <= 2 { day = date(first, second, third) }
        // The day comes first, except where that cannot be.
        if first.count <= 2, third.count == 4 { day = date(third, second, first) ?? date(third, first, second) }
        return day.map { Date(day: $0, next: index + 3, rest: [], needsClock: false) }
    }

    private func date(_ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>) -> CivilDate? {
        let number = Self.value(year)
        guard (1990...2199).contains(number) else { return nil }
        return CivilDate(year: number, month: Self.value(month), day: Self.value(day))
    }

    // MARK: Times of the day

    /// The time that follows a day.
    func clock(after date: Date) -> RecordingTime? {
        if !date.rest.isEmpty {
            return clock([date.rest], last: date.next - 1).map { time(date.day, $0, isWritten: false) }
        }
        guard date.next < runs.count, isSeparator(gap(before: date.next)) else { return nil }
        let isWritten = gap(before: date.next).elementsEqual("T".utf8)
        return clock(from: date.next).map { time(date.day, $0, isWritten: isWritten) }
    }

    /// Whether some characters can stand between a day and a time: punctuation, `T`, or a short word such as ` at `.
    private func isSeparator(_ gap: ArraySlice<UInt8>) -> Bool {
        if gap.elementsEqual("T".utf8) || gap.elementsEqual("t".utf8) { return true }
        let punctuation = Array("-_ .,@".utf8)
        let words = gap.split { punctuation.contains($0) }
        guard let first = gap.first, let last = gap.last, punctuation.contains(first), punctuation.contains(last) else {
            return false
        }
        return words.isEmpty || words.count == 1 && words[0].count <= 4 && words[0].allSatisfy { $0 > 0x40 }
    }

    /// The time of the day as `094100`, `0941`, `09.41.00` or `9.41`, with the number of its last run.
    private func clock(from index: Int) -> (milliseconds: Int, last: Int)? {
        if runs[index].count > 2 { return clock([runs[index]], last: index) }
        var last = index
        while last < index + 2, isJoined(last + 1, by: ".:-_hm"), runs[last + 1].count == 2 { last += 1 }
        return clock(Array(runs[index...last]), last: last)
    }

    private func clock(_ runs: [ArraySlice<UInt8>], last: Int) -> (milliseconds: Int, last: Int)? {
        var parts: [Int]
        if runs.count > 1 {
            parts = runs.map(Self.value)
        } else {
            guard [4, 6].contains(runs[0].count) else { return nil }
            parts = stride(from: 0, to: runs[0].count, by: 2).map { Self.value(runs[0].dropFirst($0).prefix(2)) }
        }
        parts += [Int](repeating: 0, count: 3 - parts.count)
        guard parts[0] < 24, parts[1] < 60, parts[2] < 60 else { return nil }
        return (((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000, last)
    }

    /// The time of a day and its clock, with what follows: AM or PM, or the distance from UTC. In the written form of ISO 8601 that
    /// can also be negative.
    private func time(_ day: CivilDate, _ clock: (milliseconds: Int, last: Int), isWritten: Bool) -> RecordingTime {
        var (milliseconds, last) = clock
        if last + 1 < runs.count, isJoined(last + 1, by: "."), (3...9).contains(runs[last + 1].count) { last += 1 }
        let tail = tail(of: last)
        if let isAfternoon = Self.isAfternoon(tail), (1...12).contains(milliseconds / 3_600_000) {
            milliseconds = milliseconds % 43_200_000 + (isAfternoon ? 43_200_000 : 0)
        }
        guard let offset = offset(tail, last, isWritten: isWritten) else {
            return .local(LocalTime(day: day, millisecond: milliseconds))
        }
        return .moment(
            Instant(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000 + Int64(milliseconds - offset * 60_000)))
    }

    /// Whether some text begins with `PM` or `AM`; nil for neither.
    private static func isAfternoon(_ text: ArraySlice<UInt8>) -> Bool? {
        // Apple and WhatsApp put a narrow space of three bytes before it.
        let letters = text.drop { " _-.".utf8.contains($0) || $0 >= 0x80 }.filter { $0 != UInt8(ascii: ".") }.prefix(3)
        guard letters.count >= 2, letters[1] | 0x20 == UInt8(ascii: "m") else { return nil }
        if letters.count == 3, isLetter(letters[2]) { return nil }
        return switch letters[0] | 0x20 {
        case UInt8(ascii: "a"): false
        case UInt8(ascii: "p"): true
        default: nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

    /// The minutes ahead of UTC that follow a time: `Z`, `+02:00`, `+0200`.
    private func offset(_ tail: ArraySlice<UInt8>, _ last: Int, isWritten: Bool) -> Int? {
        if tail.first == UInt8(ascii: "Z") { return tail.dropFirst().first.map(Self.isLetter) == true ? nil : 0 }
        guard isJoined(last + 1, by: isWritten ? "+-" : "+") else { return nil }
        let run = runs[last + 1]
        var minutes = 0
        switch run.count {
        case 2:
            minutes = Self.value(run) * 60
            if isJoined(last + 2, by: ":-."), runs[last + 2].count == 2 { minutes += Self.value(runs[last + 2]) }
        case 4: minutes = Self.value(run.prefix(2)) * 60 + Self.value(run.suffix(2))
        default: return nil
        }
        guard minutes <= 14 * 60 else { return nil }
        return tail.first == UInt8(ascii: "-") ? -minutes : minutes
    }

    // MARK: Unix time

    /// The moment of thirteen digits, or of ten that are the whole text.
    var unixTime: RecordingTime? {
        let first = Instant(milliseconds: 946_684_800_000)
        for run in runs where run.count == 13 || run.count == 10 && runs.count == 1 && bytes.count == 10 {
            let moment = Instant(milliseconds: Int64(Self.value(run)) * (run.count == 10 ? 1000 : 1))
            if moment >= first { return .moment(moment) }
        }
        return nil
    }
}
