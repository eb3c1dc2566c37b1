import HubKit
import NotesDomain
package import Storage

/// A note that is open in an editor: each saved text is merged at once, and the changes of others reach the file.
///
/// An editor may show an older text than its file has, since not all read a file again that has changed. So a saved text is
/// merged at the version that it is most like: one that the file has had, or one that was saved before.
package actor EditedNote {
    /// The most versions that a saved text may be based on.
    private static let baseCount = 16

    private let store: Store
    private let id: String
    private let operation: Operation
    private var bases: [MergeBase.Candidate]
    private var file: NoteForm
    /// The front matter that was taken last.
    private var taken: FrontMatter?
    /// Whether the note was changed by what was saved.
    package private(set) var isChanged = false

    init(_ store: Store, _ note: NoteRecord, _ version: NoteVersion, operation: Operation) {
        self.store = store
        self.operation = operation
        id = note.id
        file = NoteForm(title: note.title, content: note.content)
        bases = [MergeBase.Candidate(version: version, title: file.title, content: file.content)]
    }

    /// The text to open.
    package var text: String { file.text }

    /// Merges the text that is in the file, if it was changed there.
    /// - Returns: the text that the file should have.
    package func exchange(_ saved: String) async throws -> String {
        let form = NoteForm(saved: saved, opened: file)
        defer { taken = form.frontMatter ?? taken }
        // An editor that does not read the file again saves the same front matter with each text.
        if saved == file.text || form.isSameText(as: file) && (form.frontMatter == nil || form.frontMatter == taken) {
            let (now, version) = try await store.read { [id] in try $0.form(of: id) }
            if now == file { return saved }
            file = now
            remember(version, now)
            return now.text
        }
        let base: NoteVersion =
            switch MergeBase.choose(lastRead: nil, recent: bases, title: form.title, content: form.content) {
            case .known(let version), .similar(let version): version
            case .current: bases[0].version
            }
        let shown = bases.first { $0.version == base }
        let (now, version, written) = try await store.write(operation) { [id] transaction in
            var written = base
            let isChanged = try transaction.changeTexts(of: id) { document, agent in
                let merge = try document.merge(
                    // What the form cannot show of a title stays.
                    title: form.title == shown?.title ? nil : form.title, content: form.content, base: base, by: agent)
                written = merge.written
                return merge.edits
            }
            if let matter = form.frontMatter { try transaction.take(matter, of: id) }
            if isChanged || form.frontMatter != nil { try transaction.changed(id) {} }
            let (form, version) = try transaction.form(of: id)
            return (form, version, written)
        }
        isChanged = true
        remember(written, form)
        file = now
        remember(version, now)
        return now == form ? saved : now.text
    }

    private func remember(_ version: NoteVersion, _ form: NoteForm) {
        bases.removeAll { $0.version == version }
        bases.insert(MergeBase.Candidate(version: version, title: form.title, content: form.content), at: 0)
        bases = Array(bases.prefix(Self.baseCount))
    }
}

extension NotesPlugin {
    /// Opens a live note for an editor. All saved texts are one operation. Throws `not-found`.
    package func open(_ id: String, operation: Operation) async throws -> EditedNote {
        try await checkEditable(id)
        let (note, version) = try await store.read {
            (try NoteRecord.kind.live(id, in: $0), try $0.version(of: id))
        }
        return EditedNote(store, note, version, operation: operation)
    }
}

extension Transaction {
    /// Gives a note the properties of front matter, as an import does: tags, the pin, and what belongs to other programs.
    func take(_ matter: FrontMatter, of id: String) throws {
        let note = try NoteRecord.kind.live(id, in: self)
        try setTags(NoteTag.changed(note.tags, adding: matter.list(.tags) ?? []), of: id)
        if matter[.isPinned] != nil { try setPinned(matter.isPinned, of: id) }
        let old = FileHead(try frontMatter(of: id) ?? "")
        let new = FileHead.merged(base: nil, current: old, change: FileHead(matter.text))
        _ = try setHead(new, stem: nil, of: id)
    }

    /// Returns a note as one text, and the version that it has.
    fileprivate func form(of id: String) throws -> (NoteForm, NoteVersion) {
        let note = try NoteRecord.kind.item(id, in: self)
        return (NoteForm(title: note.title, content: note.content), try version(of: id))
    }
}
