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
                    id: hit.note.id, title: hit.note.name, detail: hit.snippet.text,
                    match: .init(sought, in: NoteQuery(hit.note.name).spellings))
            }
        })
}
