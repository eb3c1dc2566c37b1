import MinteeDomain

/// A day as one byte of a stored year: its state, and whether its entry is only the value 0 or only the value 1. Most
/// entries are, and then the row of the entry need not be read.
struct StoredDay: Hashable {
    let rawValue: UInt8

    private static let saysZero: UInt8 = 0x40
    private static let saysOne: UInt8 = 0x20

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A day without an entry.
    init(_ state: DayState) { rawValue = state.rawValue }

    /// A day with an entry and this target; nil for a specific task.
    init(_ entry: Entry, _ target: Target?) {
        let state = entry.state(target).rawValue
        rawValue =
            entry == Entry() ? state | Self.saysZero : entry == Entry(completion: 1) ? state | Self.saysOne : state
    }

    /// The state of the day.
    var state: DayState { DayState(rawValue: rawValue & ~(Self.saysZero | Self.saysOne)) }

    /// The entry if it is only 0 or only 1; nil if it has to be looked up, or if there is none.
    var entry: Entry? {
        rawValue & Self.saysZero != 0 ? Entry() : rawValue & Self.saysOne != 0 ? Entry(completion: 1) : nil
    }
}
