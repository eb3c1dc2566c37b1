package import TextCRDT

/// The part of a note that is a replicated text.
package enum NoteField: String, CaseIterable, Sendable {
    case title, content
}

/// A version of both texts of a note.
package struct NoteVersion: Hashable, Sendable {
    /// The version of the title.
    package var title: Version
    /// The version of the content.
    package var content: Version

    package init(title: Version = Version([]), content: Version = Version([])) {
        self.title = title
        self.content = content
    }

    /// The version of one of the texts.
    package subscript(field: NoteField) -> Version {
        get { field == .title ? title : content }
        set { if field == .title { title = newValue } else { content = newValue } }
    }
}

/// The bytes that bring a replica of a note up to date; a part is nil when its text has not changed.
package struct NotePatch: Hashable, Sendable {
    /// The events of the title, as `ReplicatedText` encodes them.
    package var title: [UInt8]?
    /// The events of the content.
    package var content: [UInt8]?

    package init(title: [UInt8]? = nil, content: [UInt8]? = nil) {
        self.title = title
        self.content = content
    }

    /// The events of one of the texts.
    package subscript(field: NoteField) -> [UInt8]? {
        get { field == .title ? title : content }
        set { if field == .title { title = newValue } else { content = newValue } }
    }

    /// Whether neither text has changed.
    package var isEmpty: Bool { title == nil && content == nil }

    /// The number of bytes of both parts.
    package var count: Int { (title?.count ?? 0) + (content?.count ?? 0) }
}

/// The edits that turn one state of a note into another.
package struct NoteEdits: Hashable, Sendable {
    /// The edits of the title, each relative to those before it.
    package var title: [TextEdit]
    /// The edits of the content.
    package var content: [TextEdit]

    package init(title: [TextEdit] = [], content: [TextEdit] = []) {
        self.title = title
        self.content = content
    }

    /// The edits of one of the texts.
    package subscript(field: NoteField) -> [TextEdit] {
        get { field == .title ? title : content }
        set { if field == .title { title = newValue } else { content = newValue } }
    }

    /// Whether neither text changes.
    package var isEmpty: Bool { title.isEmpty && content.isEmpty }
}

/// The result of a merge of whole texts.
package struct TextMerge: Hashable, Sendable {
    /// The resulting changes of the note's texts.
    package var edits: NoteEdits
    /// The version of the texts as they were written, without the changes of others since their base. It is what the writer
    /// has read last, and the base of what it writes next.
    package var written: NoteVersion
}

/// A note as two replicated texts with their whole history.
///
/// An agent names a replica: one device, or one open page. A person may have many; ``EditJournal`` knows whose each is.
package struct NoteDocument: Sendable {
    /// The title with its history.
    package private(set) var title: ReplicatedText
    /// The content with its history.
    package private(set) var content: ReplicatedText

    package init(title: ReplicatedText = ReplicatedText(), content: ReplicatedText = ReplicatedText()) {
        self.title = title
        self.content = content
    }

    /// Reads the texts from what ``encoded(_:)`` wrote.
    package init(title: [UInt8], content: [UInt8]) throws(TextCRDTError) {
        try self.init(title: [title], content: [content])
    }

    /// Reads the texts from their edits in parts, each since the version with all before it.
    package init(title: [[UInt8]], content: [[UInt8]]) throws(TextCRDTError) {
        self.title = try ReplicatedText(decoding: title)
        self.content = try ReplicatedText(decoding: content)
    }

    /// See ``ReplicatedText/isLive``.
    package var isLive: Bool {
        get { title.isLive && content.isLive }
        set { (title.isLive, content.isLive) = (newValue, newValue) }
    }

    /// One of the texts.
    package subscript(field: NoteField) -> ReplicatedText { field == .title ? title : content }

    /// Changes one of the texts in place: a copy of it would cost its length each time.
    private mutating func change<Result>(
        _ field: NoteField, _ body: (inout ReplicatedText) throws(TextCRDTError) -> Result
    ) throws(TextCRDTError) -> Result {
        switch field {
        case .title: try body(&title)
        case .content: try body(&content)
        }
    }

    /// The version with all edits.
    package var version: NoteVersion { NoteVersion(title: title.version, content: content.version) }

    /// Returns one of the texts with its whole history as bytes.
    package func encoded(_ field: NoteField) -> [UInt8] { self[field].encoded() }

    /// Returns what a replica at `version` lacks.
    package func patch(since version: NoteVersion) -> NotePatch {
        var patch = NotePatch()
        for field in NoteField.allCases where self[field].version != version[field] {
            patch[field] = self[field].encoded(since: version[field])
        }
        return patch
    }

    /// Returns the version that holds all edits of two; what is not known here is passed over.
    package func joined(_ first: NoteVersion, _ second: NoteVersion) -> NoteVersion {
        var joined = NoteVersion()
        for field in NoteField.allCases { joined[field] = self[field].joined([first[field], second[field]]) }
        return joined
    }

    /// Applies a patch of another replica: both parts or none. Returns the resulting changes of the texts.
    @discardableResult
    package mutating func merge(_ patch: NotePatch) throws(TextCRDTError) -> NoteEdits {
        var edits = NoteEdits()
        // One part is merged as a whole or not at all.
        let old = patch.title == nil || patch.content == nil ? nil : self
        do throws(TextCRDTError) {
            for field in NoteField.allCases {
                guard let bytes = patch[field] else { continue }
                edits[field] = try change(field) { text throws(TextCRDTError) in try text.merge(bytes) }
            }
        } catch {
            if let old { self = old }
            throw error
        }
        return edits
    }

    /// Applies edits that `agent` made on an older version of one of the texts; their events are numbered from `sequence` on.
    /// Returns the resulting changes.
    @discardableResult
    package mutating func apply(
        _ edits: [TextEdit], to field: NoteField, by agent: String, at version: Version, from sequence: Int = 0
    ) throws(TextCRDTError) -> [TextEdit] {
        try change(field) { text throws(TextCRDTError) in
            try text.apply(edits, by: agent, at: version, from: sequence)
        }
    }

    /// Gives the edits of an agent from number `first` on to another agent; see ``ReplicatedText/rename(_:from:to:)``.
    package mutating func rename(
        _ agent: String, from first: Int, to other: String, in field: NoteField
    ) throws(TextCRDTError) {
        try change(field) { text throws(TextCRDTError) in try text.rename(agent, from: first, to: other) }
    }

    /// Returns the first edit that is known here and has other content in a patch, by its text; nil if there is none.
    package func conflict(with patch: NotePatch) -> (field: NoteField, event: EventID)? {
        for field in NoteField.allCases {
            guard let bytes = patch[field] else { continue }
            var text = self[field]
            do throws(TextCRDTError) {
                try text.merge(bytes)
            } catch {
                if case .conflict(let event) = error { return (field, event) }
            }
        }
        return nil
    }

    /// Makes the texts those given, with as few edits as possible.
    @discardableResult
    package mutating func set(
        title: String? = nil, content: String? = nil, by agent: String
    ) throws(TextCRDTError) -> NoteEdits {
        try merge(title: title, content: content, base: version, by: agent).edits
    }

    /// Merges whole texts that were written by someone who had read the version `base`: what differs from it becomes
    /// edits of that version, so changes made since then stay.
    ///
    /// Text that equals its base changes nothing, and a nil text was not written. Where `base` lacks edits of `agent`, a
    /// name with a number is used instead, since the edits of one agent follow each other.
    @discardableResult
    package mutating func merge(
        title: String?, content: String?, base: NoteVersion, by agent: String
    ) throws(TextCRDTError) -> TextMerge {
        var result = TextMerge(edits: NoteEdits(), written: base)
        var edits = NoteEdits()
        for (field, text) in [(NoteField.title, title), (.content, content)] {
            if let text { edits[field] = TextDiff.edits(from: try self[field].text(at: base[field]), to: text) }
        }
        // The edits of one text are made as a whole or not at all.
        let old = edits.title.isEmpty || edits.content.isEmpty ? nil : self
        do throws(TextCRDTError) {
            for field in NoteField.allCases where !edits[field].isEmpty {
                let writer = writer(agent, of: field, at: base[field])
                result.edits[field] = try apply(edits[field], to: field, by: writer, at: base[field])
                let last = EventID(agent: writer, sequence: self[field].nextSequence(of: writer) - 1)
                result.written[field] = Version([last])
            }
        } catch {
            if let old { self = old }
            throw error
        }
        return result
    }

    /// The first of `agent`, `agent~2`, `agent~3`, … whose edits the version holds all.
    private func writer(_ agent: String, of field: NoteField, at version: Version) -> String {
        var (name, number) = (agent, 1)
        while case let next = self[field].nextSequence(of: name), next > 0,
            !self[field].contains(EventID(agent: name, sequence: next - 1), in: version)
        {
            number += 1
            name = "\(agent)~\(number)"
        }
        return name
    }

    /// Makes the texts those of an earlier version, as new edits.
    @discardableResult
    package mutating func restore(_ version: NoteVersion, by agent: String) throws(TextCRDTError) -> NoteEdits {
        try set(title: title.text(at: version.title), content: content.text(at: version.content), by: agent)
    }
}
