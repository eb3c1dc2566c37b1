import CivilDate
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
        today: TodayProvider(title: "People") { (contacts: ContactsPlugin, day) in
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
        },
        sections: [
            TodaySection("coming", title: "Coming up", place: "?view=birthdays") { (contacts: ContactsPlugin, today) in
                try await contacts.dates(from: today.adding(days: 1), days: 14).map { date in
                    var item = item(date)
                    item.day = date.day
                    item.links = []
                    return item
                }
            }
        ],
        mentions: MentionProvider(title: "People") { (contacts: ContactsPlugin, id) in
            try await contacts.namesInTexts(of: id)
        } mentions: { contacts, text in
            try await contacts.mentions(in: text)
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
        var item = TodayItem(
            id: date.contact.id, text: "\(words) of \(date.contact.name)\(years)", title: date.contact.name,
            detail: detail ?? words)
        item.links = links(to: date.contact)
        return item
    }

    /// The ways to congratulate a contact.
    private static func links(to contact: ContactSummary) -> [TodayItem.Link] {
        var links: [TodayItem.Link] = []
        let number = contact.phone.filter { $0.isASCII && ($0.isNumber || $0 == "+") }
        if !number.isEmpty { links.append(.init("Call", icon: "phone", address: "tel:\(number)")) }
        // Other characters mean something in a link.
        let isPlain = contact.email.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "@._+-".contains($0)) }
        if isPlain, contact.email.contains("@") {
            links.append(.init("E-mail", icon: "mail", address: "mailto:\(contact.email)"))
        }
        return links
    }

    /// A value in words, such as `mobile phone`.
    private static func words(_ value: CardMerge.Conflict) -> String {
        value.label.isEmpty ? value.field : "\(value.label) \(value.field)"
    }
}
