package import CivilDate
package import DictofunDomain
import HubKit
package import Storage

/// What the user corrects of a record: what is nil stays as it is.
package struct RecordCorrection: Hashable, Sendable {
    /// The title; empty for none.
    package var title: String?
    /// The day on which it began.
    package var day: CivilDate?
    /// The time of the day at which it began, in milliseconds.
    package var millisecond: Int?

    /// Whether the time of the day is unknown.
    package var isTimeUnknown: Bool?

    /// Creates a correction of what is given.
    package init(
        title: String? = nil, day: CivilDate? = nil, millisecond: Int? = nil, isTimeUnknown: Bool? = nil
    ) {
        (self.title, self.day, self.millisecond) = (title, day, millisecond)
        self.isTimeUnknown = isTimeUnknown
    }
}

extension DictofunPlugin {
    /// The most characters of a title.
    private static let titleLimit = 500

    /// Corrects the title and the time of a record. A time that the user gives is known; a day alone leaves it as it was. An unknown time
    /// is midnight.
    ///
    /// Throws `conflict` if the record is no longer at `revision`, if given.
    @discardableResult
    package func correct(
        _ id: String, _ correction: RecordCorrection, expecting revision: Int? = nil, operation: Operation
    ) async throws -> StoredRecord {
        try await store.write(operation) { tx in
            let record = try StoredRecord.kind.live(id, expecting: revision, in: tx)
            let old = record.record.startTime
            let isUnknown =
                correction.isTimeUnknown ?? (correction.millisecond == nil && record.record.isTimeUnknown)
            var start = LocalTime(
                day: correction.day ?? old.day, millisecond: correction.millisecond ?? old.millisecond)
            if correction.isTimeUnknown == true { start = LocalTime(day: start.day) }
            let title = correction.title.map { String($0.prefix(Self.titleLimit)) } ?? record.name
            guard start != old || title != record.name || isUnknown != record.record.isTimeUnknown else {
                return record
            }
            try tx.setTitle(title, start: start, isTimeUnknown: isUnknown, of: id)
            return try tx.savedRecord(id)
        }
    }
}
