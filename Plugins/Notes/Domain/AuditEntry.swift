package import Time

/// What a notes server has recorded of who did what. Texts are not in it.
package struct AuditEntry: Hashable, Sendable {
    /// What can be recorded.
    package enum Action: String, CaseIterable, Sendable {
        /// A token was used, for the first time in an hour.
        case login
        /// Someone came with a token that no account has.
        case refused
        /// An account got a token: by an invitation, or by a login of its provider.
        case token
        /// An account was removed with its tokens.
        case removal
        /// The limits of an account were changed.
        case limits
        /// Who may open a note was changed.
        case access
        /// Someone asked for access to a note.
        case request
        /// A note was moved to the trash.
        case deletion
        /// A note was taken out of the trash.
        case restoration
    }

    /// When.
    package let at: Instant
    /// Who did it: an account, or the address of a client without one; empty for the administrator.
    package let person: String
    /// What was done.
    package let action: Action
    /// The account or the id of the note that it was done to.
    package let subject: String
    /// What changed, in a few words.
    package let detail: String

    /// Creates an entry; a long detail is cut.
    package init(at: Instant, person: String, _ action: Action, _ subject: String = "", detail: String = "") {
        (self.at, self.person, self.action, self.subject) = (at, person, action, subject)
        self.detail = detail.utf8.count <= Self.maximumDetail ? detail : String(detail.prefix(Self.maximumDetail / 4))
    }

    /// The most bytes of a detail.
    private static let maximumDetail = 1000
    /// The days after which an entry is removed, and the most entries that are kept.
    package static let (days, maximumCount) = (90, 100_000)

    /// Returns what an entry says of a change of access: `+name` was added, `-name` removed, `~name` can only read.
    package static func detail(from old: NoteAccess, to new: NoteAccess) -> String {
        var words = old.owner == new.owner ? [] : ["owner \(new.owner)"]
        words += old.members.filter { !new.members.contains($0) }.map { "-\($0)" }
        words += new.members.compactMap { name in
            if new.isReader(name) { return old.isReader(name) ? nil : "~\(name)" }
            return old.members.contains(name) && !old.isReader(name) ? nil : "+\(name)"
        }
        return words.joined(separator: " ")
    }
}
