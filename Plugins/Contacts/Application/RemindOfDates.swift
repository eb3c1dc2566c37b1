package import CivilDate
import Commands
import ContactsDomain
import Storage

extension ContactsPlugin {
    /// Publishes `app.contacts/birthday-upcoming` and `date-upcoming` for every birthday, anniversary and other date between
    /// `today` and the lead time, unless it was published before.
    package func remindOfDates(on today: CivilDate) async throws {
        let dates = try await dates(from: today, days: config[ContactsKeys.remindDays] + 1)
        guard !dates.isEmpty else { return }
        let operation = Operation("contacts remind", who: .service("contacts"), kind: .cache)
        try await contacts.write(operation) { transaction in
            for date in dates { try transaction.emit(date.event(on: today)) }
        }
    }
}

extension UpcomingDate {
    /// The event of a date. Its unique key contains the year, so that each is published once.
    fileprivate func event(on today: CivilDate) -> Event {
        let name = String(contact.name.prefix(1000))
        let key = "\(contact.id):\(day.components.year)"
        if occasion == .birthday {
            return BirthdayUpcoming.event(
                BirthdayUpcoming(
                    name: name, date: day.description, age: years,
                    notify: EventNotification("Birthday: \(name)", sentence("years old", on: today))),
                of: contact.id, once: key)
        }
        let label = String(occasion.label.prefix(200))
        return DateUpcoming.event(
            DateUpcoming(
                name: name, label: label, date: day.description, years: years,
                notify: EventNotification(
                    "\(label.prefix(1).uppercased())\(label.dropFirst()): \(name)", sentence("years", on: today))),
            of: contact.id, once: "\(key):\(label):\(date)")
    }

    private func sentence(_ unit: String, on today: CivilDate) -> String {
        let days = day.daysSinceEpoch - today.daysSinceEpoch
        let when = days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days, on \(day)"
        guard let years, years > 0 || occasion == .birthday else { return when }
        return "\(years) \(years == 1 && unit == "years" ? "year" : unit) \(when)"
    }
}
