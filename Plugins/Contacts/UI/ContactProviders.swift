import Commands
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
            let dates = try await contacts.dates(from: day, days: 1).map(item)
            // Open conflicts belong to today only.
            guard day == contacts.clock.today else { return dates }
            let conflicts = try await contacts.conflicts().map { conflict in
                let name = conflict.contact.details.displayName
                let values = conflict.values.map(words).joined(separator: ", ")
                return TodayItem(
                    id: conflict.contact.id, text: "Conflict to resolve: \(name), \(values)", title: name,
                    detail: "Changed in two places: \(values)")
            }
            return dates + conflicts
        })

    /// A date as an item of its day.
    private static func item(_ date: UpcomingDate) -> TodayItem {
        let label = date.occasion.label
        let words = label.prefix(1).uppercased() + label.dropFirst()
        let years = date.years.map { ", \($0)" } ?? ""
        let detail =
            date.occasion == .birthday
            ? date.years.map { "\(words), turns \($0)" }
            : date.years.flatMap { $0 > 0 ? "\(words), \(NumberFormat.counted($0, "year"))" : nil }
        return TodayItem(
            id: date.contact.id, text: "\(words) of \(date.contact.name)\(years)", title: date.contact.name,
            detail: detail ?? words)
    }

    /// A value in words, such as `mobile phone`.
    private static func words(_ value: CardMerge.Conflict) -> String {
        value.label.isEmpty ? value.field : "\(value.label) \(value.field)"
    }
}
