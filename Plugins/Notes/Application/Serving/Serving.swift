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
        cursors = Cursors(live)
        store.receiveStored { [weak live] in live?.stored($0) }
    }
}
