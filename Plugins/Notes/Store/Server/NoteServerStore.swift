import NotesDomain
import System

/// What a notes server needs of its store, and no more: accounts, notes with their logs, access and its requests, and what clients have read.
///
/// Messages are values, and so are the answers; no caller sees a table or holds a lock, so a store may be a database on another machine.
/// The rules are not its own: it loads what a message is about, asks the pure types of the domain (`AccessRule`, `ServedClient`, `OpenTexts`,
/// `WholeNoteWrite`), and stores what comes of it.
///
/// - **Atomic**: each call is one change or one consistent view. One that throws, or is refused, leaves nothing. When it returns, what it
///   has stored is durable. Calls that wait at the same time may share a commit.
/// - **Order**: each change of a note gets a number that is greater than all before, and is seen by ``changes(after:limit:for:)`` before any greater
///   one; so who has read up to a number misses nothing.
/// - **Access** is checked against what is stored with the change: a revocation holds for all that is committed after it.
/// - **Repeated**: a store may run a message several times until it commits, since nothing else happens in it. A caller that does not know
///   whether a call was committed may make it again where that is said below.
/// - **Errors**: besides those that a call names, `HubError` of the kind `invalid` for what is larger than the limits, and of any other kind when
///   the store cannot be reached or written: whether a change was stored is not known then.
protocol NoteServerStore: Sendable {
    // MARK: Following

    /// A number that changes with each commit of any process; nil where that is not known, and no answer may be kept.
    var revision: Int? { get }

    /// Returns the last change, and what belongs to it.
    func position() async throws -> ServerPosition

    /// Returns what wakes its reader after commits of any process. Several commits may wake it once; ``position()`` says what there is.
    func wakes() -> AsyncStream<Void>

    /// Sets what gets the edits that this value stores: in the order of their numbers, once they are durable, and without a wait. There is one
    /// such receiver, which is set before the first change.
    func receiveStored(_ receive: @escaping @Sendable (StoredEdits) -> Void)

    // MARK: Other servers

    /// Tells the other servers of the same store a text of one line, instead of one with the same key that has not been sent yet. It may get
    /// lost.
    func tellServers(_ text: String, key: String)

    /// Sets what gets the texts of other servers, with a name of the one that has sent them. It must not wait.
    func receiveMessages(_ receive: @escaping @Sendable (_ server: String, _ texts: [String]) -> Void)

    // MARK: Accounts

    /// Returns the accounts, which are the people with a token, by their names, with what they have.
    func accounts() async throws -> [ServerAccount]

    /// Adds a token of a person by its hash; the person may be new.
    func addToken(_ hash: [UInt8], of person: String, operation: Operation) async throws

    /// Removes the account of a person with all its tokens, and wakes who follows. What it owns and may open stays. May be repeated.
    /// - Returns: whether there was one.
    func removeAccount(_ person: String, operation: Operation) async throws -> Bool

    /// Sets the limits of an account; nil gives it those of the settings. May be repeated.
    func setLimits(_ limits: AccountLimits?, of person: String, operation: Operation) async throws

    /// Returns what an account has and may have; nil where no account has limits.
    func limitedAccount(_ person: String) async throws -> (usage: AccountUsage, limits: AccountLimits)?

    /// Returns whose a token is, and when it was used last; nil for an unknown one.
    func account(ofToken hash: [UInt8]) async throws -> (person: String, usedAt: Instant?)?

    /// Records that a token is used now, and that its person has logged in. May be repeated.
    func recordUse(ofToken hash: [UInt8]) async throws

    /// Returns what clients without an account may do: what was `decided`, or else everything while there is no account.
    func legacyMode(_ decided: LegacyMode?) async throws -> LegacyMode

    // MARK: Audit

    /// Records what was done beside the messages of this protocol, which record themselves what they do to access and notes.
    func record(_ entry: AuditEntry) async throws

    /// Returns what was recorded, the newest first: at most `limit`, all of one person or account if it is given.
    func audit(of person: String?, limit: Int) async throws -> [AuditEntry]

    // MARK: Notes

    /// Carries out a request: checks access, does it, and reads its result. Edits that are stored already change nothing and are answered
    /// as before, so all but requests for access may be repeated. A refusal is an outcome.
    func perform(_ request: ServedRequest) async throws -> ServerSession.Outcome

    /// Returns the notes that have changed after a number, by their latest changes: at most `limit`, and the rest of those that changed together
    /// with the last of them. With `client`, they have what it is told of their texts.
    func changes(after position: Int, limit: Int, for client: ServedClient?) async throws -> ChangePage

    /// Returns the notes that have changed after a number, as ``changes(after:limit:for:)`` does without a client, with the texts of those of which
    /// clients here need them: with as many reads for many clients as for one. Nil of a store at which each client reads by itself.
    func sharedChanges(
        after position: Int, limit: Int, _ need: @escaping @Sendable (ChangedNote) -> SharedChanges.Need
    ) async throws -> SharedChanges?

    /// Returns a cursor in the newest text, with what leads `client` there; nil if there is no such note.
    func place(_ presence: Presence, for client: ServedClient?) async throws -> PlacedPresence?

    /// Returns who may open a note; nil if there is none.
    func access(of note: String) async throws -> NoteAccess?

    /// Returns the number of live notes that are served, which have an owner.
    func noteCount() async throws -> Int

    /// Publishes that notes were changed, once for many edits. May be repeated.
    func publish(changesOf notes: Set<String>) async throws

    // MARK: Requests for access

    /// Returns the requests that wait for their answers, the oldest first.
    func pendingRequests() async throws -> [PendingRequest]

    /// Stores a request for access to a note by `requester`. May be repeated. Throws `NoteAppError` for a note that is not served, for one that is
    /// unlocked already, and for too many requests.
    /// - Returns: the id of the note.
    func requestAccess(
        to id: NoteAppID, by requester: String, reason: String, caller: NoteAppCaller
    ) async throws -> String

    // MARK: Whole notes

    /// Returns the id for NoteApp of a note; nil if there is none.
    func wireID(of note: String) async throws -> NoteAppID?

    /// Returns the notes that a client of NoteApp may read, in the order of their creation, or one of them, and records that it has read them.
    /// May be repeated. Throws `NoteAppError` if it may not, or there is no such note.
    func read(_ id: NoteAppID?, by caller: NoteAppCaller) async throws -> ServedNotes

    /// Creates a note. Throws `NoteAppError` if the client may not. To be made again it must be read before.
    func create(_ draft: NoteAppDraft, by caller: NoteAppCaller) async throws -> NoteAppID

    /// Merges a note that was written as a whole at the version that its client has most likely read, and records what it has read now; the reads
    /// and writes of one client and note follow each other. May be repeated. Throws `NoteAppError` if the client may not, or there is no such note.
    func write(_ put: WholeNotePut) async throws

    /// Moves a note to the trash. Throws `NoteAppError` if the client may not, or there is no such note.
    func delete(_ id: NoteAppID, by caller: NoteAppCaller) async throws

    // MARK: Attachments

    /// The contents of attachments.
    var contents: any AttachmentContents { get }

    /// Returns the size of content in a note that an account may read, by its hash; nil if there is none.
    func attachmentSize(_ hash: String, readableBy account: String) async throws -> Int?

    /// Returns the size of content that an account has sent, and that no note of it has yet; nil if there is none.
    func uploadSize(_ hash: String, by account: String) async throws -> Int?

    /// Returns the number of bytes that an account has sent, and that no note of it has yet.
    func uploadedBytes(by account: String) async throws -> Int

    /// Records content that an account has sent. May be repeated.
    func addUpload(_ hash: String, size: Int, by account: String) async throws
}
