package import HubKit

extension NotesPlugin {
    /// Serves the notes of a database of PostgreSQL in this process, instead of those of the person here: the one at `location`, or else the
    /// one of the settings. Without either nothing changes.
    package func useServerStore(_ location: String? = nil) throws(HubError) {
        guard let location = location ?? serverSettings.store, location != "sqlite" else { return }
        let database = try PostgresNoteDatabase(url: location, password: nil, clock: clock, log: log, metrics: metrics)
        serve(from: PostgresNoteServerStore(database: database, bases: bases, clock: clock, meter: meter))
    }

    /// Throws where the settings name a database and this process would serve the person's own notes instead.
    package func checkServerStore() throws(HubError) {
        guard let store = serverSettings.store, store != "sqlite", serverStoreName == "sqlite" else { return }
        throw HubError(
            .config, code: "server-store", "hub serve does not serve the database of plugins.notes.server.store",
            hint: "hub notes serve does; hub config set plugins.notes.server.enabled false")
    }

    /// Where the served notes are, without a password.
    package var serverStoreName: String {
        (serverStore as? PostgresNoteServerStore)?.database.shown ?? "sqlite"
    }
}
