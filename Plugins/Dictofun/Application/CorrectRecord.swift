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

    /// Creates a correction of what is given.
    package init(title: String? = nil, day: CivilDate? = nil, millisecond: Int? = nil) {
        (self.title, self.day, self.millisecond) = (title, day, millisecond)
    }
}

extension DictofunPlugin {
    /// The most characters of a title.
    private static let titleLimit = 500

    /// Corrects the title and the time of a record; a time that the user gives is known.
    ///
    /// Throws `conflict` if the record is no longer at `revision`, if given.
    @discardableResult
    package func correct(
        _ id: String, _ correction: RecordCorrection, expecting revision: Int? = nil, operation: Operation
    ) async throws -> StoredRecord {
        try await store.write(operation) { tx in
            let record = try StoredRecord.kind.live(id, expecting: revision, in: tx)
            let old = record.record.startTime
            let start = LocalTime(
                day: correction.day ?? old.day, millisecond: correction.millisecond ?? old.millisecond)
            let title = correction.title.map { String($0.prefix(Self.titleLimit)) } ?? record.name
            let isTimed = correction.day != nil || correction.millisecond != nil
            let isUnknown = isTimed ? false : record.record.isTimeUnknown
            guard start != old || title != record.name || isUnknown != record.record.isTimeUnknown else {
                return record
            }
            try tx.setTitle(title, start: start, isTimeUnknown: isUnknown, of: id)
            return try tx.savedRecord(id)
        }
    }
}
