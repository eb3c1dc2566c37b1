import CivilDate
import ContactsDomain
import Hashing
import HubKit
import ICalendar
import Storage
package import Sync
import Synchronization

/// The birthdays and anniversaries of contacts as a calendar for devices, which they can only read.
///
/// It follows from the contacts: an item is one date of one contact, and its number is made from that of the contact.
package final class ServedBirthdays: ServedCollection {
    private let contacts: ServedContacts
    /// The items as of a change of a contact, by their names.
    private let known = Mutex<(number: Int, items: [ServedItem])?>(nil)

    /// The calendar that the plugin offers.
    static let declaration = CollectionDeclaration(.events, id: "birthdays", title: "Birthdays", isReadOnly: true) {
        (plugin: ContactsPlugin) in
        ServedBirthdays(ServedContacts(contacts: plugin.contacts))
    }

    init(_ contacts: ServedContacts) { self.contacts = contacts }

    /// The dates of a contact, in the order of their numbers.
    private enum Kind: Int, CaseIterable {
        case birthday, anniversary

        var title: String { self == .birthday ? "Birthday" : "Anniversary" }

        /// The name of the item of a contact with this name.
        func name(of contact: String) -> String {
            (contact.hasSuffix(".vcf") ? String(contact.dropLast(4)) : contact + ".") + "-\(self).ics"
        }

        /// The number of its change when the contact has a number.
        func number(_ number: Int) -> Int { number * Kind.allCases.count + rawValue }
    }

    /// Returns the items, made again after a contact was changed.
    private func items() async throws -> [ServedItem] {
        let number = try await contacts.state().number
        if let known = known.withLock(\.self), known.number == number { return known.items }
        let items = try await contacts.read { transaction in
            try transaction.contacts(withDatesIn: [0...1231]).flatMap { contact -> [ServedItem] in
                guard let name = try transaction.servedName(of: contact.id) else { return [] }
                return try Kind.allCases.compactMap { try Self.item($0, of: contact, named: name) }
            }
        }.sorted { $0.entry.name < $1.entry.name }
        known.withLock { $0 = (number, items) }
        return items
    }

    private static func item(_ kind: Kind, of contact: Contact, named name: String) throws -> ServedItem? {
        let date = kind == .birthday ? contact.details.birthday : contact.details.anniversary
        guard case .date(let date)? = date, let month = date.month, let day = date.day else { return nil }
        // Many calendars begin with 1900; the year stays in the name.
        let year = date.year.flatMap { $0 >= 1900 ? $0 : nil } ?? 1904
        guard let start = CivilDate(year: year, month: month, day: day) else { return nil }
        let born = date.year.map { " (\($0))" } ?? ""
        let title = "\(kind.title): \(contact.summary.name)\(born)"
        // Without the last two parts, the 29th of February would come every four years.
        let rule = month == 2 && day == 29 ? "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1" : "FREQ=YEARLY"
        let event = ICalComponent(
            "VEVENT",
            [
                ICalProperty("UID", text: "contact/\(contact.id)/\(kind)"),
                ICalProperty("DTSTAMP", value: ICalTime(milliseconds: contact.changedAt.milliseconds).description),
                ICalProperty("SUMMARY", text: title), ICalProperty("DTSTART", days: [start]),
                ICalProperty("RRULE", value: rule), ICalProperty("TRANSP", value: "TRANSPARENT"),
                ICalProperty("CATEGORIES", text: kind.title),
            ])
        let calendar = ICalComponent(
            "VCALENDAR",
            [ICalProperty("VERSION", value: "2.0"), ICalProperty("PRODID", value: "-//hub//Contacts//EN")],
            components: [event])
        let content = ICalWriter.write(calendar)
        return ServedItem(
            ServedEntry(
                name: kind.name(of: name), id: contact.id, etag: try SHA256.hexadecimal(content, prefix: 16),
                length: content.count, changedAt: contact.changedAt.milliseconds),
            content: content)
    }

    /// Returns the state of the contacts, in numbers of this calendar.
    package func state() async throws -> ServedState {
        let state = try await contacts.state()
        return ServedState(epoch: state.epoch, number: Kind.anniversary.number(state.number))
    }

    /// Returns the number of dates.
    package func count() async throws -> Int { try await items().count }

    /// Returns dates by their names.
    package func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        let items = try await items()
        let start = name.map { name in items.firstIndex { $0.entry.name > name } ?? items.endIndex } ?? 0
        return items[start...].prefix(limit).map(\.entry)
    }

    /// Returns the dates of contacts that changed; those that a contact does not have are gone.
    package func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        let names = Set(try await items().map(\.entry.name))
        let count = Kind.allCases.count
        let changed = try await contacts.changes(
            after: (number - 1) / count, upTo: last == .max ? last : last / count, limit: min(limit, 10_000) / count + 1
        )
        let all = changed.flatMap { change in
            Kind.allCases.map { kind in
                let name = kind.name(of: change.name)
                return ServedChange(number: kind.number(change.number), name: name, isGone: !names.contains(name))
            }
        }
        return Array(all.filter { number < $0.number && $0.number <= last }.prefix(limit))
    }

    /// Returns the dates with these names.
    package func items(named names: [String]) async throws -> [ServedItem] {
        let wanted = Set(names)
        return try await items().filter { wanted.contains($0.entry.name) }
    }

    /// Refuses any change.
    package func put(_ put: ServedPut) async throws -> ServedPutResult { .invalid("birthdays belong to contacts") }

    /// Refuses any change.
    package func remove(
        _ name: String, if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedRemoval { .missing }

    /// Does nothing: no device can drop a date.
    package func renumber(_ name: String) async throws {}
}
