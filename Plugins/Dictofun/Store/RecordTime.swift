import CivilDate
import System

/// Local times as they are stored: `yyyy-MM-dd HH:mm:ss`, whose order is that of time.
extension LocalTime {
    /// The stored form.
    package var stored: String { description }

    /// The time whose stored form is `text`.
    package init?(stored text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let day = CivilDate(parts[0]) else { return nil }
        let clock = parts[1].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        self.init(day: day, millisecond: ((clock[0] * 60 + clock[1]) * 60 + clock[2]) * 1000)
    }

    /// The time in a row. Throws when it is damaged.
    init(storedIn text: String) throws(HubError) {
        guard let time = LocalTime(stored: text) else {
            throw HubError(.internal, code: "record-damaged", "a record has the invalid time \(text)")
        }
        self = time
    }
}
