package import Sync

/// A to-do that was written just now, to be compared with what is fetched from its place afterwards.
package struct SentTodo: Hashable, Sendable {
    /// The link to store if no other program has changed the to-do since.
    package let link: TodoLink
    /// The ETag of the answer; nil when the server gave none, as RFC 4791 §5.3.4 asks of servers that store other bytes.
    package let etag: String?

    package init(_ link: TodoLink, etag: String?) {
        self.link = link
        self.etag = etag
    }

    /// Returns the link to compare what is at `place` with, and whether that is what the server made of the sent to-do.
    ///
    /// Another program may have changed it since. Another ETag than that of the answer shows it; without one, another
    /// `LAST-MODIFIED` does, which programs set and servers leave alone. A server that changes these itself makes the same
    /// of the same to-do again, and so is known by `before`, the link as it was before the to-do was sent.
    package func base(
        for theirs: IncomingTodo, at place: RemoteEntry, before: TodoLink?
    ) -> (link: TodoLink, isEcho: Bool) {
        func seconds(_ milliseconds: Int64?) -> Int64? { milliseconds.map { $0 / 1000 } }
        let isChanged =
            etag.map { $0 != place.etag }
            ?? (theirs.changedAt != nil && seconds(theirs.changedAt) != seconds(link.changedAt))
        guard isChanged, theirs.fingerprint != before?.seen else { return (link, true) }
        var base = link
        base.etag = place.etag
        // Without an ETag the server may have dropped the note, unless it is known to keep notes.
        let keepsNotes = etag != nil || before.map { $0.isSeen && $0.theirs?.note != nil } ?? false
        if theirs.note == nil, !keepsNotes { base.theirs?.note = nil }
        return (base, false)
    }
}
