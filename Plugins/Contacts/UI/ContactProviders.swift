import ContactsDomain
import HubKit

/// The contributions of contacts to the views that span all plugins.
enum ContactProviders {
    static let all = Providers(
        search: SearchProvider { (contacts: ContactsPlugin, words, limit) in
            let rows = try await contacts.search(words.joined(separator: " "), limit: limit).rows
            let sought = words.flatMap(SearchText.words)
            return rows.map { contact in
                let detail = [contact.phone, contact.email].filter { !$0.isEmpty }.joined(separator: ", ")
                return SearchHit(
                    id: contact.id, title: contact.name, detail: detail,
                    match: .init(sought, in: SearchText.words(contact.name)))
            }
        },
        today: TodayProvider { (contacts: ContactsPlugin, day) in
            let birthdays = try await contacts.birthdays(from: day, days: 1).map { birthday in
                let age = birthday.age.map { ", \($0)" } ?? ""
                return TodayItem(
                    id: birthday.contact.id, text: "Birthday of \(birthday.contact.name)\(age)",
                    title: birthday.contact.name,
                    detail: birthday.age.map { "Birthday, turns \($0)" } ?? "Birthday")
            }
            // Open conflicts belong to today only.
            guard day == contacts.clock.today else { return birthdays }
            let conflicts = try await contacts.getConflicts().map { conflict in
                TodayItem(
                    id: conflict.contact.id,
                    text: "Conflict to resolve: \(conflict.contact.details.displayName), "
                        + conflict.fields.joined(separator: ", "),
                    title: conflict.contact.details.displayName,
                    detail: "Changed in two places: \(conflict.fields.joined(separator: ", "))")
            }
            return birthdays + conflicts
        },
        sync: .accounts(of: ContactsPlugin.self), status: .accounts(of: ContactsPlugin.self))
}
