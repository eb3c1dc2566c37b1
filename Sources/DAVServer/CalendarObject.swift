import ICalendar
package import Sync

/// The rules for what one resource of a calendar holds (RFC 4791 §4.1): components of one kind with one `UID`, and no method.
package enum CalendarObject {
    /// The `UID` of a calendar object, or why it cannot be in a calendar that takes these components.
    package enum Reading: Hashable, Sendable {
        case uid(String)
        case refused(ServedPutResult)
    }

    /// Reads a calendar object.
    package static func read(_ content: [UInt8], allowing components: [String]) -> Reading {
        guard let calendars = try? ICalReader.read(content, limits: .item), let calendar = calendars.first,
            calendars.count == 1, calendar.name == "VCALENDAR"
        else { return .refused(.invalid("it is not one calendar")) }
        guard calendar["METHOD"] == nil else { return .refused(.invalid("it has a METHOD")) }
        let parts = calendar.components.filter { $0.name != "VTIMEZONE" }
        guard let first = parts.first else { return .refused(.invalid("it has no component")) }
        guard parts.allSatisfy({ $0.name == first.name }) else {
            return .refused(.invalid("it has components of several kinds"))
        }
        guard components.contains(first.name) else { return .refused(.wrongComponent) }
        let uids = Set(parts.map { $0["UID"]?.text ?? "" })
        guard uids.count == 1, let uid = uids.first, !uid.isEmpty else {
            return .refused(.invalid("it has not one UID"))
        }
        return .uid(uid)
    }
}
