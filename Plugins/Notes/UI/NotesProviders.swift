import CivilDate
import HubKit
import NotesDomain

/// The contributions of notes to the views that span all plugins.
enum NotesProviders {
    static let all = Providers(
        search: SearchProvider { (notes: NotesPlugin, words, limit) in
            let text = words.joined(separator: " ")
            let sought = NoteQuery(text).spellings
            return try await notes.search(text, limit: limit).hits.map { hit in
                SearchHit(
                    id: hit.note.id, title: hit.note.name, detail: hit.snippet.plainText,
                    match: .init(sought, in: NoteQuery(hit.note.name).spellings))
            }
        },
        today: TodayProvider(title: "Requests for access") { (notes: NotesPlugin, day) in
            // Requests that wait belong to today only.
            guard day == notes.clock.today else { return [] }
            return try await notes.openRequests().map { open in
                TodayItem(
                    id: open.note.id, text: "\(open.request.requester) asks for access to \(open.note.name)",
                    title: open.note.name, detail: "\(open.request.requester) asks for access")
            }
        },
        sections: [
            TodaySection("recent", title: "Recent notes") { (notes: NotesPlugin, today) in
                let zone = TimeZoneRules.system
                return try await notes.list(NoteFilter(), limit: 6).rows.compactMap { note in
                    let changed = zone.localTime(at: note.changedAt)
                    // What was written in the last week is what goes on.
                    guard changed.day >= today.adding(days: -7) else { return nil }
                    var item = TodayItem(id: note.id, text: note.name, detail: note.folder)
                    if changed.day == today { item.time = changed } else { item.day = changed.day }
                    return item
                }
            },
            TodaySection("todos", title: "To-dos in notes") { (notes: NotesPlugin, today) in
                try await notes.openTodos(since: today.adding(days: -30)).map { note, todos in
                    let words = todos.joined(separator: ", ")
                    return TodayItem(id: note.id, text: "\(note.name): \(words)", title: note.name, detail: words)
                }
            },
        ],
        content: ContentProvider { (notes: NotesPlugin, id) in try await notes.content(of: id) })
}
