import NotesDomain
import System

/// The place of a store that serves notes: what a session begins with, and what those that follow look at after a commit.
struct ServerPosition: Hashable, Sendable {
    /// The name of the store; another one once cursors of clients no longer hold.
    let epoch: String
    /// The number of the last change of any note.
    let latest: Int
    /// The agent of the store itself as a client of others; empty without one.
    let replica: String
    /// The names of the accounts.
    let accounts: Set<String>
    /// A number that grows when someone asks for access at any server; always 0 where there is one server.
    var requests = 0
}

/// What has changed after a place, read once for all clients of a process.
struct SharedChanges: Sendable {
    /// What clients here need of a note that has changed, the most that any of them needs.
    enum Need: Int, Sendable {
        case nothing, metadata
        /// What leads from the texts that clients know to the newest ones.
        case edits
        /// The events as well.
        case events
    }

    /// The number after which they are.
    let start: Int
    /// The changed notes, without texts.
    let page: ChangePage
    /// The texts of the notes that clients need them of.
    let texts: any NoteTextReader & Sendable
    /// What leads from the texts that were in memory to the newest ones.
    let deltas: [TextDelta]
}

/// A request of a client of hub's protocol, with all that it takes to carry it out.
struct ServedRequest: Sendable {
    /// What is asked for.
    let request: NoteRequest
    /// Who asks, with what it knows of the note.
    let client: ServedClient
    /// The author of its edits.
    let person: String
    /// The unit of history that it belongs to; a store without a history takes only its author.
    let operation: Operation
}

/// A cursor, as clients are shown it.
struct PlacedPresence: Sendable {
    /// The owner and the members of its note.
    let access: NoteAccess
    /// It with its positions in the newest text; nil while edits of its version are missing.
    let presence: Presence?
    /// What leads the client to the newest text; nil if it has that, or follows no texts.
    let way: TextDelta?
}

/// A request for access that waits for its answer.
struct PendingRequest: Sendable {
    let request: AccessRequest
    /// The owner of the note.
    let owner: String
    /// What clients of NoteApp are told; nil if they have no id for the note.
    let event: NoteAppEvent?
}

// MARK: NoteApp

/// A client of NoteApp's interface, as its requests show it.
struct NoteAppCaller: Sendable {
    /// Who it is.
    let actor: Actor
    /// Its address, and its account if it has one.
    let client: String
    /// What tells it apart from others at its address.
    let reader: String
    /// The connection that its request came over; nil if it is not known.
    let connection: UInt64?
    /// What clients without an account may do, if the settings say so; else the accounts do.
    let legacy: LegacyMode?

    /// The author of its edits.
    var person: String { actor.name ?? client }
}

/// Notes as a client of NoteApp reads them.
struct ServedNotes: Sendable {
    var notes: [NoteAppNote]
    /// Whether the same client would get the same, with nothing to be recorded, until the next commit.
    var isRepeatable: Bool
}

/// A note that a client of NoteApp writes as a whole.
struct WholeNotePut: Sendable {
    let id: NoteAppID
    /// The id as the client writes it.
    let wireID: String
    let write: WholeNoteWrite
    let caller: NoteAppCaller

    init(_ draft: NoteAppDraft, of id: NoteAppID, as wireID: String, by caller: NoteAppCaller) {
        self.id = id
        self.wireID = wireID
        self.caller = caller
        write = WholeNoteWrite(
            title: draft.title, content: draft.content, members: draft.access, owner: draft.owner)
    }
}
