import ContactsDomain
import HubKit

/// The contributions of contacts to the views that span all plugins.
enum ContactProviders {
    static let all = Providers(
        search: SearchProvider(words: SearchText.words) { (contact: ContactSummary) in
            [contact.phone, contact.email].filter { !$0.isEmpty }.joined(separator: ", ")
        } find: { (contacts: ContactsPlugin, words, limit) in
            try await contacts.search(words.joined(separator: " "), limit: limit).rows
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
            let conflicts = try await contacts.conflicts().map { conflict in
                let name = conflict.contact.details.displayName
                let values = conflict.values.map(words).joined(separator: ", ")
                return TodayItem(
                    id: conflict.contact.id, text: "Conflict to resolve: \(name), \(values)", title: name,
                    detail: "Changed in two places: \(values)")
            }
            return birthdays + conflicts
        })

    /// A value in words, such as `mobile phone`.
    private static func words(_ value: CardMerge.Conflict) -> String {
        value.label.isEmpty ? value.field : "\(value.label) \(value.field)"
    }
}
