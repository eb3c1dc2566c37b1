package import CivilDate

/// The data of an analysis: one cell for each day of its range, over one or more tasks.
package struct Chart: Hashable, Sendable {
    /// Counts of due days that reached their target, and that missed it on either side.
    package struct Tally: Hashable, Sendable {
        /// The number of due days that reached their target.
        package var reached = 0
        /// The number of due days below their target.
        package var under = 0
        /// The number of due days above their target.
        package var over = 0

        package init() {}

        /// The number of due days that count.
        package var due: Int { reached + under + over }

        /// Adds one day.
        package mutating func add(_ category: CompletionCategory) {
            switch category {
            case .reached: reached += 1
            case .under: under += 1
            case .over: over += 1
            }
        }

        /// Adds the counts of another tally.
        package mutating func add(_ other: Tally) {
            reached += other.reached
            under += other.under
            over += other.over
        }

        /// The worst category counted: under before over before reached; nil if nothing was counted.
        package var worst: CompletionCategory? {
            if under > 0 { return .under }
            return over > 0 ? .over : reached > 0 ? .reached : nil
        }
    }

    /// One day.
    package struct Cell: Hashable, Sendable {
        /// The day.
        package let date: CivilDate
        /// The counts of the tasks on the day.
        package var tally = Tally()
        /// The value of a single task, or the share reached by several; nil if nothing counts.
        package var value: Double?
        /// The mean value of the day, for legends of value ranges.
        package var completion: Double?
        /// Whether the day is not over and a target can still be reached.
        package var isOpen = false
    }

    /// The name of the analysis or task.
    package let name: String
    /// The names of the tasks, sorted.
    package let tasks: [String]
    /// One cell for each day.
    package let cells: [Cell]
    /// The colours.
    package let legend: Legend
    /// The target, if a single task has one target for all days.
    package let target: Target?

    /// Creates the chart of tasks from `first` to `last`. A day that is not over counts only what is decided.
    /// - Parameters:
    ///   - timelines: The states of each task, by its name.
    ///   - completions: The values by task and day; empty if not needed.
    package init(
        name: String, timelines: [(task: String, timeline: Timeline)], completions: [[CivilDate: Double]],
        from first: CivilDate, to last: CivilDate, today: CivilDate, legend: Legend, target: Target? = nil
    ) {
        self.name = name
        self.legend = legend
        self.target = target
        tasks = timelines.map(\.task)
        guard first <= last else {
            cells = []
            return
        }
        let isSingle = timelines.count == 1
        cells = (first.daysSinceEpoch...last.daysSinceEpoch).map { number in
            let date = CivilDate(daysSinceEpoch: number)
            var cell = Cell(date: date)
            var sum = 0.0
            if date > today { return cell }
            for (index, (_, timeline)) in timelines.enumerated() {
                let state = timeline[date]
                guard let category = state.category else { continue }
                if date == today, state.isOpen {
                    cell.isOpen = true
                    continue
                }
                cell.tally.add(category)
                if index < completions.count { sum += completions[index][date] ?? 0 }
            }
            guard cell.tally.due > 0 else { return cell }
            if !completions.isEmpty { cell.completion = sum / Double(cell.tally.due) }
            cell.value = isSingle ? cell.completion : Double(cell.tally.reached) / Double(cell.tally.due)
            return cell
        }
    }

    /// The counts of all days.
    package var total: Tally { cells.reduce(into: Tally()) { $0.add($1.tally) } }

    /// The values in the order of days, without days on which nothing counts.
    package var values: [Double] { cells.compactMap(\.value) }

    /// Returns the colour of a cell; nil if nothing counts, or if the legend has no colour for it.
    package func color(of cell: Cell) -> LegendColor? {
        if legend.completions.isEmpty { return cell.tally.worst.flatMap(legend.color(of:)) }
        return cell.completion.flatMap { legend.color(of: $0) }
    }

    /// The weeks, each with a cell for each day of the week; nil before the first and after the last day.
    package func weeks(startingOn start: Weekday = .monday) -> [[Cell?]] {
        guard let first = cells.first, let last = cells.last else { return [] }
        let lead = (first.date.weekday.rawValue - start.rawValue + 7) % 7
        let padded = Array(repeating: Cell?.none, count: lead) + cells.map { Optional($0) }
        let count = (lead + last.date.daysSinceEpoch - first.date.daysSinceEpoch) / 7 + 1
        return (0..<count).map { week in
            (0..<7).map { day in
                let index = week * 7 + day
                return index < padded.count ? padded[index] : nil
            }
        }
    }
}
