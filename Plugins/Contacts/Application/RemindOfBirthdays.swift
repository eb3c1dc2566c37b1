package import CivilDate
import Commands
import ContactsDomain
import Storage

extension ContactsPlugin {
    /// Publishes `app.contacts/birthday-upcoming` for every birthday between `today` and the lead time, unless it was
    /// published before.
    package func remindOfBirthdays(on today: CivilDate) async throws {
        let birthdays = try await birthdays(from: today, days: config[ContactsKeys.remindDays] + 1)
        guard !birthdays.isEmpty else { return }
        let operation = Operation("contacts remind", who: .service("contacts"), kind: .cache)
        try await contacts.write(operation) { transaction in
            for birthday in birthdays { try transaction.emit(birthday.event(on: today)) }
        }
    }
}

extension UpcomingBirthday {
    /// The event of a birthday. Its unique key contains the year, so that each birthday is published once.
    fileprivate func event(on today: CivilDate) -> Event {
        let name = String(contact.name.prefix(1000))
        return BirthdayUpcoming.event(
            BirthdayUpcoming(
                name: name, date: day.description, age: age,
                notify: EventNotification("Birthday: \(name)", sentence(on: today))),
            of: contact.id, once: "\(contact.id):\(day.components.year)")
    }

    private func sentence(on today: CivilDate) -> String {
        let days = day.daysSinceEpoch - today.daysSinceEpoch
        let when = days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days, on \(day)"
        return age.map { "\($0) years old \(when)" } ?? when
    }
}
