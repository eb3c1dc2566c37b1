package import CivilDate
import ContactsDomain
import HubKit

/// Publishes reminders of upcoming birthdays, once per contact and year.
package struct RemindOfBirthdays: Sendable {
    let contacts: ContactStore
    /// The number of days in advance.
    let leadDays: Int

    package init(_ contacts: ContactStore, leadDays: Int) {
        self.contacts = contacts
        self.leadDays = leadDays
    }

    /// Publishes `app.contacts/birthday-upcoming` for every birthday between `today` and the lead time, unless it was
    /// published before.
    package func callAsFunction(on today: CivilDate) async throws {
        let birthdays = try await GetBirthdays(contacts)(from: today, days: leadDays + 1)
        guard !birthdays.isEmpty else { return }
        let operation = Operation("contacts remind", who: .service("contacts"), kind: .cache)
        try await contacts.write(operation) { transaction in
            for birthday in birthdays { try transaction.emit(birthday.event(on: today)) }
        }
    }
}

extension GetBirthdays.Birthday {
    /// The event of a birthday. Its unique key contains the year, so that each birthday is published once.
    fileprivate func event(on today: CivilDate) -> Event {
        let name = String(contact.name.prefix(1000))
        var body = JSONWriter()
        body.object { body in
            body.name("name")
            body.value(name)
            body.name("date")
            body.value(day.description)
            if let age {
                body.name("age")
                body.value(age)
            }
            body.name("notify")
            body.object { notify in
                notify.name("title")
                notify.value("Birthday: \(name)")
                notify.name("body")
                notify.value(sentence(on: today))
            }
        }
        return Event(
            ContactEvents.birthdayUpcoming, subject: contact.id, uniqueKey: "\(contact.id):\(day.components.year)",
            body: body.string)
    }

    private func sentence(on today: CivilDate) -> String {
        let days = day.daysSinceEpoch - today.daysSinceEpoch
        let when = days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days, on \(day)"
        return age.map { "\($0) years old \(when)" } ?? when
    }
}
