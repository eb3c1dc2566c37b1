import NotesDomain
import PostgreSQL
import Synchronization
import TextCRDT

/// Texts that are in memory already.
struct LoadedTexts: NoteTextReader {
    let notes: [String: PostgresNote]
    /// The versions after the change from which on clients are told.
    var known: [String: NoteVersion] = [:]

    private struct Missing: Error {}

    private func texts(_ note: String) throws -> OpenTexts {
        guard let texts = notes[note]?.open.texts else { throw Missing() }
        return texts
    }

    func patch(_ note: String, afterChange change: Int?) throws -> (patch: NotePatch, version: NoteVersion) {
        let document = try texts(note).document
        let since = change == nil ? nil : known[note]
        return (document.patch(since: since ?? NoteVersion()), document.version)
    }

    func edits(_ note: String, _ field: NoteField, since version: Version?) throws -> OpenTexts.Way {
        try texts(note).way(field, since: version)
    }

    func nextSequence(_ note: String, _ field: NoteField, of agent: String) throws -> Int {
        try texts(note).document[field].nextSequence(of: agent)
    }
}

/// Texts in memory for all clients of a process: what leads from one version to the newest one is looked for once, however many clients
/// know that version.
final class SharedTexts: NoteTextReader, Sendable {
    private struct Place: Hashable {
        let note: String
        let field: NoteField
        let version: Version?
    }

    private struct Events: Hashable {
        let note: String
        let isWhole: Bool
    }

    private struct State {
        var ways: [Place: OpenTexts.Way] = [:]
        var patches: [Events: (patch: NotePatch, version: NoteVersion)] = [:]
    }

    private let loaded: LoadedTexts
    private let state = Mutex(State())

    init(_ loaded: LoadedTexts) { self.loaded = loaded }

    func patch(_ note: String, afterChange change: Int?) throws -> (patch: NotePatch, version: NoteVersion) {
        let events = Events(note: note, isWhole: change == nil)
        if let known = state.withLock({ $0.patches[events] }) { return known }
        let patch = try loaded.patch(note, afterChange: change)
        state.withLock { $0.patches[events] = patch }
        return patch
    }

    func edits(_ note: String, _ field: NoteField, since version: Version?) throws -> OpenTexts.Way {
        let place = Place(note: note, field: field, version: version)
        if let known = state.withLock({ $0.ways[place] }) { return known }
        let way = try loaded.edits(note, field, since: version)
        state.withLock { $0.ways[place] = way }
        return way
    }

    func nextSequence(_ note: String, _ field: NoteField, of agent: String) throws -> Int {
        try loaded.nextSequence(note, field, of: agent)
    }
}
