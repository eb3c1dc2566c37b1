import HubKit

/// What serves the clients of one store.
struct Serving: Sendable {
    let store: any NoteServerStore
    let live: HubClients
    let noteAppClients: NoteAppClients
    let cursors: Cursors

    init(_ store: any NoteServerStore, log: Log) {
        self.store = store
        noteAppClients = NoteAppClients(store, log: log)
        live = HubClients(store, noteApp: noteAppClients, log: log)
        let cursors = Cursors(live, ServerCursors(store))
        self.cursors = cursors
        store.receiveMessages { [weak cursors] server, texts in cursors?.receive(texts, from: server) }
        store.receiveStored { [weak live] in live?.stored($0) }
    }
}
