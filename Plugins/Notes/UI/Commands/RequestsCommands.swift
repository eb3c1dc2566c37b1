import Commands
import HubKit
import NotesDomain

/// `hub notes requests`: lists and answers requests for access to locked notes.
enum RequestsCommands {
    static let tree = Command(
        group: "requests", aliases: ["request"], summary: "list and answer requests for access to notes",
        examples: [
            Example("hub notes requests", "all pending requests"),
            Example("hub notes requests allow maria", "give access"),
        ], prominence: .more, view: "list", subcommands: [list, allow, deny])

    private static let who = Argument<String>("WHO", help: "person who made the request, or note that it is for")

    private static let fields: [Field<RequestRow>] = [
        Field("requester", "WHO", help: "account or device that made the request") { .text($0.open.request.requester) },
        Field("id", "ID", help: "id of the note") { .id($0.open.note.id, shown: $0.shortID.count) },
        Field("name", "NOTE", help: "title of the note, or else the first line of its text") {
            .text($0.open.note.name)
        },
        Field("reason", "REASON", help: "reason given; empty for none", column: .ifRoom(1)) {
            .text($0.open.request.reason)
        },
        Field("at", "WHEN", help: "time of the request", column: .ifRoom(2)) { .instant($0.open.request.requestedAt) },
    ]

    private static let list = Command(
        "list", summary: "list pending access requests",
        examples: [
            Example("hub notes requests list", "the oldest first"),
            Example("hub notes requests list --json=requester,id", "for a script"),
        ], fields: fields
    ) { (notes: NotesPlugin, _: Input) in
        .list(try await rows(notes), fields, empty: Diagnostic("No requests"))
    }

    private static let allow = answer("allow", "grant access requests", true)
    private static let deny = answer("deny", "deny access requests", false)

    private static func answer(_ verb: String, _ summary: String, _ isAllowed: Bool) -> Command {
        Command(
            verb, summary: summary,
            examples: [
                Example("hub notes requests \(verb) maria", "all requests of a person"),
                Example("hub notes requests \(verb) shopping", "all requests for a note"),
            ], parameters: [who], fields: fields, changes: true
        ) { (notes: NotesPlugin, input: Input) in
            let wanted = input[who]
            let chosen = try await rows(notes).filter { row in
                row.open.request.requester == wanted || row.open.note.id.hasPrefix(wanted)
                    || WikiLink.key(row.open.note.name) == WikiLink.key(wanted)
            }
            guard !chosen.isEmpty else {
                throw HubError(
                    .notFound, code: "request-not-found", "no request matches \"\(wanted)\"",
                    hint: "hub notes requests list shows all")
            }
            let names = chosen.map { "\($0.open.request.requester) for \($0.open.note.name)" }.joined(separator: ", ")
            if input.dryRun { return .done("Would \(verb) \(names)") }
            let operation = Operation(input)
            for row in chosen {
                _ = try await notes.answerRequest(
                    for: row.open.note.id, by: row.open.request.requester, allow: isAllowed, operation: operation)
            }
            return .done("\(isAllowed ? "Allowed" : "Denied"): \(names)")
        }
    }

    private static func rows(_ notes: NotesPlugin) async throws -> [RequestRow] {
        let open = try await notes.openRequests()
        let short = try await notes.notes.shortIDs(of: open.map(\.note.id))
        return open.map { RequestRow(open: $0, shortID: short[$0.note.id] ?? $0.note.id) }
    }
}

/// A request as a table row.
private struct RequestRow: Sendable {
    let open: OpenRequest
    let shortID: String
}
