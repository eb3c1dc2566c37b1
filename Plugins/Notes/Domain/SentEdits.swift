package import TextCRDT
package import Time

/// The edits made here of a note on a server of whole notes, by what is known of them there.
///
/// On such a server the last PUT wins. One that was under way takes away what its author had not read, and the same text can
/// mean that it was deleted on purpose. So each replica answers for its own edits, and for no others: what was typed here and is
/// missing is sent again, unless the text shows that its author had read it. An edit that stayed for ``raceTime`` is settled;
/// from then on the server's text decides.
package struct SentEdits: Hashable, Sendable {
    /// A version that was sent, or was about to be.
    package struct Sent: Hashable, Sendable {
        /// The version.
        package var version: NoteVersion
        /// The time since which each look at the server found the insertions of this version and those before; nil if
        /// one was missing last.
        package var keptSince: Instant?
        /// Whether the deletions of this version were seen on the server; from then on what comes back was put back.
        package var areDeletionsSeen: Bool
        /// Whether several versions were put together, so that a part of them does not show that all was read.
        package var isCoarse: Bool

        package init(
            version: NoteVersion, keptSince: Instant? = nil, areDeletionsSeen: Bool = false, isCoarse: Bool = false
        ) {
            self.version = version
            self.keptSince = keptSince
            self.areDeletionsSeen = areDeletionsSeen
            self.isCoarse = isCoarse
        }
    }

    /// The time after which no PUT can be under way whose author had not read an edit: several times as long as a replica may
    /// take from reading a note to its PUT.
    package static let raceTime = Duration.seconds(60)
    /// The most versions that are kept apart; while someone types, each second has some.
    package static let maximumCount = 64

    /// The version whose texts the server was last seen to have.
    package private(set) var seen: NoteVersion
    /// The version whose edits are on the server for good.
    package private(set) var settled: NoteVersion
    /// The versions that were sent since, the oldest first.
    package private(set) var sent: [Sent]

    package init(seen: NoteVersion = NoteVersion(), settled: NoteVersion = NoteVersion(), sent: [Sent] = []) {
        self.seen = seen
        self.settled = settled
        self.sent = sent
    }

    /// Creates the state of a note that only one side has changed.
    package init(settled version: NoteVersion) { self.init(seen: version, settled: version) }

    /// Whether another look at the server would settle edits.
    package func isDue(at now: Instant) -> Bool {
        sent.first?.keptSince.map { $0 + Self.raceTime <= now } ?? false
    }

    /// Records what a look at the server has shown.
    ///
    /// `missing` is the index of the first sent version of which an insertion was missing, `returned` the first one of which a
    /// deletion was; a larger number for none.
    mutating func looked(missing: Int, returned: Int, at now: Instant) {
        for index in sent.indices {
            if index >= missing {
                sent[index].keptSince = nil
            } else if sent[index].keptSince == nil {
                sent[index].keptSince = now
            }
            if index < returned { sent[index].areDeletionsSeen = true }
        }
        while let first = sent.first, first.areDeletionsSeen, isDue(at: now) {
            settled = first.version
            sent.removeFirst()
        }
    }

    /// Records that `version` is about to be sent, or is there if `isSame`. `hasOwnEdits` is whether anything was edited here
    /// since the last one.
    mutating func willSend(_ version: NoteVersion, hasOwnEdits: Bool, isSame: Bool, at now: Instant) {
        if isSame { seen = version }
        if !hasOwnEdits {
            if sent.isEmpty { settled = version } else { sent[sent.count - 1].version = version }
        } else {
            sent.append(Sent(version: version, keptSince: isSame ? now : nil, areDeletionsSeen: isSame))
            guard sent.count > Self.maximumCount else { return }
            // A text that is based on one of the oldest is the least likely.
            sent.removeFirst()
            sent[0].isCoarse = true
        }
    }
}

extension NoteDocument {
    /// Merges the whole texts that a server returned, and records in `sent` that the result is about to be sent where it
    /// differs from them. Returns the resulting changes.
    ///
    /// Edits are those of `server`, except that what was typed here and has another place there is moved by `agent`.
    @discardableResult
    package mutating func merge(
        serverTitle title: String, content: String, sent: inout SentEdits, at now: Instant, by agent: String,
        server: String
    ) throws(TextCRDTError) -> NoteEdits {
        // What was moved is the agent's own, but was on the server before.
        let mover = "\(agent)+moved"
        func isOwn(_ name: String) -> Bool { name != server && !name.hasPrefix(server + "~") }
        var merges: [(field: NoteField, merge: ServerTextMerge)] = []
        for (field, text) in [(NoteField.title, title), (.content, content)] {
            merges.append(
                (field, try ServerTextMerge(self[field], field, sent, text, isOwn: isOwn) { $0.hasSuffix("+moved") }))
        }
        let read = merges.map { $0.merge.readStage }.max() ?? -1
        var edits = NoteEdits()
        var merged = self
        var (missing, returned) = (Int.max, Int.max)
        for (field, merge) in merges {
            let outcome = merge.outcome(read: read)
            for (isOwn, part) in outcome.edits {
                edits[field] += try merged.apply(
                    part, to: field, by: isOwn ? mover : server, at: merged[field].version)
            }
            (missing, returned) = (min(missing, outcome.missing), min(returned, outcome.returned))
        }
        self = merged
        sent.looked(missing: missing, returned: returned, at: now)
        let last = sent.sent.last?.version ?? sent.settled
        let hasOwnEdits = NoteField.allCases.contains { field in
            self[field].events(since: last[field]).contains { isOwn($0.agent) }
        }
        let isSame = [(self.title.text, title), (self.content.text, content)].allSatisfy {
            $0.unicodeScalars.elementsEqual($1.unicodeScalars)
        }
        sent.willSend(version, hasOwnEdits: hasOwnEdits, isSame: isSame, at: now)
        return edits
    }
}
