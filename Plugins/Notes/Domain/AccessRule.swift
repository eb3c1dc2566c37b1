/// Who acts on a notes server.
package enum Actor: Hashable, Sendable {
    /// The person at this machine, by the command line or the page.
    case local
    /// Another machine of the person here, which has joined this one.
    case machine
    /// An account that has proved itself.
    case account(String)
    /// A client without an account, such as NoteApp.
    case anonymous

    /// The name of the account; nil for all others.
    package var name: String? { if case .account(let name) = self { name } else { nil } }
}

/// What clients that do not say who they are may do.
package enum LegacyMode: String, CaseIterable, Sendable {
    /// Everything that NoteApp does: each client reads and writes each note, and the lock is the client's own.
    case open
    /// They read each note, and change nothing.
    case readonly
    /// They are refused.
    case off
}

/// The operations on notes of a server, each of which asks ``AccessRule/decide(_:by:on:legacy:)``.
package enum NoteOperation: Hashable, Sendable, CaseIterable {
    /// Listing the notes that are unlocked, or all for a client without an account.
    case list
    /// Making a note, which then belongs to its maker.
    case create
    /// Reading the text, its history and its authors; also receiving its changes.
    case read
    /// Changing title, content, tags or folder.
    case edit
    /// Showing the own cursor, and seeing those of others.
    case presence
    /// Moving to the trash and back.
    case delete
    /// Changing the members.
    case share
    /// Leaving a note that others own.
    case leave
    /// Asking to have it unlocked.
    case requestAccess
    /// Seeing and answering the requests of others.
    case answerRequest
    /// Changing the owner.
    case transfer
}

/// Why an operation is refused.
package enum AccessRefusal: Error, Hashable, Sendable {
    /// The client must say who it is (HTTP 401).
    case authenticationRequired
    /// The note is locked for the account; it may ask for access (HTTP 403).
    case locked
    /// Only the owner may do it (HTTP 403).
    case ownerOnly
    /// The server lets such clients only read (HTTP 403).
    case readOnly
    /// The owner lets the member only read (HTTP 403).
    case readerOnly
    /// There is nothing to ask for, or to leave (HTTP 409).
    case alreadyUnlocked, notMember

    /// The reason, one sentence without a full stop.
    package var message: String {
        switch self {
        case .authenticationRequired: "Authentication required"
        case .locked: "The note is locked; request access to it"
        case .ownerOnly: "Only the owner of the note can do this"
        case .readOnly: "This server is read-only for clients without an account"
        case .readerOnly: "The owner of the note lets you only read it"
        case .alreadyUnlocked: "The note is unlocked already"
        case .notMember: "You are not a member of the note"
        }
    }
}

/// The one place that decides who may do what.
package enum AccessRule {
    /// Returns why an operation is refused; nil when it is allowed. `access` is nil for operations that concern no note.
    package static func decide(
        _ operation: NoteOperation, by actor: Actor, on access: NoteAccess?, legacy: LegacyMode
    ) -> AccessRefusal? {
        switch actor {
        case .local, .machine: nil
        case .anonymous: decideLegacy(operation, legacy)
        case .account(let name): decide(operation, by: name, access ?? NoteAccess(owner: name))
        }
    }

    private static func decideLegacy(_ operation: NoteOperation, _ legacy: LegacyMode) -> AccessRefusal? {
        switch (legacy, operation) {
        case (.off, _): .authenticationRequired
        // These need a name.
        case (_, .leave), (_, .presence), (_, .transfer), (_, .answerRequest): .authenticationRequired
        case (.open, _), (.readonly, .list), (.readonly, .read), (.readonly, .requestAccess): nil
        case (.readonly, _): .readOnly
        }
    }

    private static func decide(_ operation: NoteOperation, by name: String, _ access: NoteAccess) -> AccessRefusal? {
        let isOwner = access.owner == name
        let isUnlocked = access.isUnlocked(for: name)
        switch operation {
        case .list, .create: return nil
        case .read, .presence: return isUnlocked ? nil : .locked
        case .edit: return !isUnlocked ? .locked : access.isReader(name) ? .readerOnly : nil
        case .delete, .share, .answerRequest, .transfer: return isOwner ? nil : isUnlocked ? .ownerOnly : .locked
        case .requestAccess: return isUnlocked ? .alreadyUnlocked : nil
        case .leave: return isOwner ? .ownerOnly : isUnlocked ? nil : .notMember
        }
    }
}
