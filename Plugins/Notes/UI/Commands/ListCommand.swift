import Commands
import HubKit
import NotesDomain

/// `hub notes list`: lists notes, the last changed first.
enum ListCommand {
    private static let words = Arguments<String>(
        "WORD", .zeroOrMore, help: "only notes that match all words, fields such as tag:home, @searches")
    private static let sort = Option<NoteFilter.Order>(
        "sort", "FIELD", help: "sort by changed, created or title")
    private static let locked = Flag("locked", help: "only notes that you cannot open")
    private static let unlocked = Flag("unlocked", help: "only notes that you can open")
    private static let shared = Flag("shared", help: "only notes that others can open too")
    private static let broken = Flag("broken-links", help: "only notes with broken [[links]]")

    static let command = Command(
        "list", summary: "list notes, pinned and recently changed ones first",
        examples: [
            Example("hub notes list --tag home", "notes with a tag"),
            Example("hub notes list --folder work --sort title", "a folder, by title"),
            Example("hub notes list --broken-links", "notes with broken links"),
        ],
        parameters: [
            words, NoteCommands.entity.tags, NoteCommands.folder, locked, unlocked, shared, broken, sort,
            SharedOptions.reverse,
            SharedOptions.limit, SharedOptions.since, SharedOptions.until, SharedOptions.trash,
        ], exclusive: [["locked", "unlocked"]], fields: NoteListItem.fields
    ) { (notes: NotesPlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        if input[SharedOptions.trash] { return try await trash(notes, input, NoteFilter(words: text)) }
        var filter = try await notes.filter(text)
        let now = notes.clock.now
        filter.tags += input[NoteCommands.entity.tags]
        filter.folder = input[NoteCommands.folder].map { NoteFileName.folder($0) } ?? filter.folder
        if input[broken] { filter.hasBrokenLinks = true }
        if input[shared] { filter.isShared = true }
        if input[locked] || input[unlocked] {
            filter.access = (input[locked] ? .locked : .unlocked, notes.ownName)
        }
        filter.since = input[SharedOptions.since]?.instant(now: now, in: .system) ?? filter.since
        filter.until = SharedOptions.end(of: input[SharedOptions.until], now: now) ?? filter.until
        filter.order = input[sort] ?? .changed
        filter.isReversed = input[SharedOptions.reverse]
        let limit = input.rowLimit()
        let (found, total) = try await notes.list(filter, limit: limit == .max ? nil : limit)
        return .list(
            try await notes.notes.listed(found), NoteListItem.fields,
            count: Output.count(found.count, of: total, "notes"),
            empty: filter.isFiltering ? Diagnostic("No notes match") : NotesCommand.empty)
    }

    private static func trash(_ notes: NotesPlugin, _ input: Input, _ filter: NoteFilter) async throws -> Output {
        let words = NoteQuery(filter.words).terms
        let all = try await notes.notes.trash().map(\.summary).filter { note in
            let own = NoteQuery(note.name).spellings
            return words.allSatisfy { word in own.contains { own in word.contains { own.hasPrefix($0) } } }
        }
        let rows = try await notes.notes.listed(Array(all.prefix(input.rowLimit())))
        return .list(
            rows, NoteListItem.fields, count: Output.count(rows.count, of: all.count, "notes"),
            empty: Diagnostic("No notes in the trash"))
    }
}

extension NoteFilter.Order: ChoiceArgument {}
