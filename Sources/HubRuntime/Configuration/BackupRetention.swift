import CivilDate

/// Which backups stay: the newest of each of the last days, weeks and months that have one.
///
/// It counts days with backups, not days of the calendar: after a month without, all that were there are still kept.
struct BackupRetention: Hashable, Sendable {
    /// The numbers of days, weeks and months.
    let days, weeks, months: Int

    /// Reads a rule such as `7d 4w 12m`; nil unless it keeps at least one.
    init?(_ text: String) {
        var counts: [Character: Int] = [:]
        for word in text.split(separator: " ") {
            guard let unit = word.last, "dwm".contains(unit), counts[unit] == nil, let count = Int(word.dropLast()),
                (0...10_000).contains(count)
            else { return nil }
            counts[unit] = count
        }
        (days, weeks, months) = (counts["d"] ?? 0, counts["w"] ?? 0, counts["m"] ?? 0)
        guard days + weeks + months > 0 else { return nil }
    }

    /// Returns the places of those backups that need not stay, which were made on these days, the newest first. The newest always stays.
    func superfluous(_ made: [CivilDate]) -> [Int] {
        var kept: Set<Int> = [0]
        keep(days, of: made, in: &kept) { $0.daysSinceEpoch }
        // Weeks begin on Monday; 1970-01-01 was a Thursday.
        keep(weeks, of: made, in: &kept) { ($0.daysSinceEpoch + 3) / 7 }
        keep(months, of: made, in: &kept) { $0.components.year * 12 + $0.components.month }
        return made.indices.filter { !kept.contains($0) }
    }

    private func keep(_ count: Int, of made: [CivilDate], in kept: inout Set<Int>, period: (CivilDate) -> Int) {
        var periods: Set<Int> = []
        for (place, day) in made.enumerated()
        where periods.count < count && periods.insert(period(day)).inserted {
            kept.insert(place)
        }
    }
}
