package import TextCRDT
package import Time

/// The versions of a note on which a whole text that a server of whole notes returns may be based.
///
/// Such a server keeps no versions, and the last PUT wins. So what it returns was written by someone who had read what it had
/// before, what was sent from here, or, when two PUTs met, what that one replaced.
package struct ServerBases: Hashable, Sendable {
    /// A version that was replaced by what was sent from here.
    package struct Replaced: Hashable, Sendable {
        /// The version.
        package var version: NoteVersion
        /// The time at which its successor was seen on the server.
        package var at: Instant

        package init(version: NoteVersion, at: Instant) {
            self.version = version
            self.at = at
        }
    }

    /// The time for which a PUT that was under way may still replace what was sent from here.
    package static let raceTime = Duration.seconds(60)
    /// The most versions of each kind that are kept.
    package static let maximumCount = 8

    /// The version that the server was last seen to have.
    package private(set) var seen: NoteVersion
    /// The versions that were sent and not seen there since, the newest last; a PUT without an answer may have been stored.
    package private(set) var sent: [NoteVersion]
    /// The versions that were replaced a short time ago, the newest last.
    package private(set) var replaced: [Replaced]

    package init(seen: NoteVersion = NoteVersion(), sent: [NoteVersion] = [], replaced: [Replaced] = []) {
        self.seen = seen
        self.sent = sent
        self.replaced = replaced
    }

    /// Records a version that is about to be sent; to be stored before it is.
    package mutating func willSend(_ version: NoteVersion) {
        sent.removeAll { $0 == version }
        sent = (sent + [version]).suffix(Self.maximumCount)
    }

    /// Records that the server has the same texts as `version` here.
    package mutating func settle(_ version: NoteVersion) {
        seen = version
        sent = []
    }

    /// Records that the server has `written`, which is based on `base`.
    mutating func saw(_ written: NoteVersion, on base: NoteVersion, at now: Instant) {
        replaced.removeAll { $0.at + Self.raceTime <= now || $0.version == written }
        if let place = sent.lastIndex(of: base) {
            if seen != base { replaced = (replaced + [Replaced(version: seen, at: now)]).suffix(Self.maximumCount) }
            sent.removeFirst(place + 1)
        }
        seen = written
    }

    /// Returns the version that `title` and `content` were most likely based on: the one from which they need the fewest
    /// insertions, since nothing else types the words that were sent from here.
    ///
    /// Of versions that need the same, the oldest is taken: at worst, words that were deleted there come back. A version that was
    /// replaced must need fewer deletions too; a text that equals one is a real deletion, since a PUT that met
    /// another one has changed something.
    func base(of title: String, _ content: String, in document: NoteDocument, at now: Instant) throws(TextCRDTError)
        -> NoteVersion
    {
        var best = (version: seen, cost: try Cost(from: seen, to: title, content, in: document))
        for version in sent {
            let cost = try Cost(from: version, to: title, content, in: document)
            if cost.inserted < best.cost.inserted || cost == Cost() { best = (version, cost) }
        }
        guard best.cost.deleted > 0 else { return best.version }
        for replaced in replaced.reversed() where now < replaced.at + Self.raceTime {
            let cost = try Cost(from: replaced.version, to: title, content, in: document)
            if cost < best.cost, cost != Cost() { best = (replaced.version, cost) }
        }
        return best.version
    }

    /// The numbers of scalars to insert and to delete.
    private struct Cost: Comparable {
        var inserted = 0
        var deleted = 0

        init() {}

        init(from version: NoteVersion, to title: String, _ content: String, in document: NoteDocument)
            throws(TextCRDTError)
        {
            for (field, text) in [(NoteField.title, title), (.content, content)] {
                for edit in TextDiff.edits(from: try document[field].text(at: version[field]), to: text) {
                    inserted += edit.inserted.unicodeScalars.count
                    deleted += edit.deletedCount
                }
            }
        }

        static func < (a: Cost, b: Cost) -> Bool { (a.inserted, a.deleted) < (b.inserted, b.deleted) }
    }
}

extension NoteDocument {
    /// Merges the whole texts that a server returned; `bases` then have them as seen. Returns the resulting changes.
    @discardableResult
    package mutating func merge(
        serverTitle title: String, content: String, bases: inout ServerBases, at now: Instant, by agent: String
    ) throws(TextCRDTError) -> NoteEdits {
        let base = try bases.base(of: title, content, in: self, at: now)
        let merge = try merge(title: title, content: content, base: base, by: agent)
        bases.saw(merge.written, on: base, at: now)
        return merge.edits
    }
}
