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
            let birthdays = try await contacts.getBirthdays(from: day, days: 1).map { birthday in
                let age = birthday.age.map { ", \($0)" } ?? ""
                return TodayItem(id: birthday.contact.id, text: "Birthday of \(birthday.contact.name)\(age)")
            }
            // Open conflicts belong to today only.
            guard day == contacts.clock.today else { return birthdays }
            let conflicts = try await contacts.getConflicts().map { conflict in
                TodayItem(
                    id: conflict.contact.id,
                    text: "Conflict to resolve: \(conflict.contact.details.displayName), "
                        + conflict.fields.joined(separator: ", "))
            }
            return birthdays + conflicts
        },
        trash: TrashProvider(
            list: { (contacts: ContactsPlugin) in
                try await contacts.getTrash().map {
                    TrashedItem(id: $0.contact.id, title: $0.contact.name, deletedAt: $0.deletedAt)
                }
            },
            restore: { contacts, ids, operation in
                _ = try await contacts.restore(ids, operation: operation)
            },
            empty: { contacts, before, operation in
                try await contacts.emptyTrash(before: before, operation: operation)
            }),
        names: NameProvider(one: "contact", many: "contacts") { (contacts: ContactsPlugin, ids) in
            try await contacts.nameContacts(ids)
        },
        resolve: ResolveProvider { (contacts: ContactsPlugin, selector) in
            let found: [ContactSummary]
            do {
                found = try await contacts.resolve(selector)
            } catch let error as HubError where error.kind == .notFound {
                guard let trashed = try? await contacts.resolve(selector, inTrash: true) else { throw error }
                found = trashed
            }
            return found.map { Candidate(id: $0.id, name: $0.name) }
        },
        sync: .accounts(of: ContactsPlugin.self), status: .accounts(of: ContactsPlugin.self))
}
