import Commands
import HubKit
import NotesDomain

/// The HTTP routes of the texts of one note: edits that are merged, and earlier versions.
enum TextRoutes {
    /// The largest body with edits: a whole text, quoted twice, since frames are texts in JSON.
    private static let maximumBody = 6 * NoteLimits.content

    static let all = [
        Route(.get, "/api/notes/live", summary: "edit notes together", isForPages: true) { (notes: NotesPlugin, _) in
            .webSocket(
                RouteWebSocket(subprotocols: [NotesProtocol.subprotocol], messageSize: NotesProtocol.maximumFrame) {
                    try await notes.serve($0, as: .local)
                })
        },
        Route(
            .post, "/api/notes/{id}/edits", summary: "edit a note",
            body: #"{"frames": ["{\"t\":\"hello\",…}"], "operation": "…"}"#, required: ["frames"]
        ) { (notes: NotesPlugin, request) in
            let json = try request.json(limit: maximumBody, example: #"{"frames": ["{\"t\":\"hello\",…}"]}"#)
            let texts = json["frames"]?.array?.compactMap(\.string) ?? []
            let frames: [ClientFrame]
            do throws(ProtocolError) {
                frames = try read(texts)
            } catch {
                throw HubError(field: "frames", "must be frames of the notes protocol")
            }
            // All edits that a person makes without a long pause are one operation, so one undo takes them back.
            let id = json["operation"]?.string ?? ""
            let isNamed =
                request.operation.who == .person && Identifier.isPrefix(id) && id.count == Identifier.length
            let operation = Operation(
                id: isNamed ? id : request.operation.id, request.operation.name, who: request.operation.who,
                commandLine: request.operation.commandLine)
            let answers = try await notes.exchange(frames, with: try request.id, operation: operation)
            let body = "[" + answers.map(\.text).joined(separator: ",") + "]"
            return .asset(Array(body.utf8), contentType: "application/json")
        },
        Route(
            .get, "/api/notes/{id}/versions", summary: "list the versions of a note's text, the oldest first",
            fields: versionFields
        ) {
            (notes: NotesPlugin, request) in
            .output(.list(try await notes.textVersions(of: try request.id), versionFields))
        },
        Route(
            .get, "/api/notes/{id}/versions/{change}", summary: "show a version of a note's text",
            fields: textFields
        ) {
            (notes: NotesPlugin, request) in
            .output(.record(try await notes.text(of: try request.id, at: try change(request)), textFields))
        },
        Route(.post, "/api/notes/{id}/versions/{change}", summary: "restore a version of a note's text") {
            (notes: NotesPlugin, request) in
            let note = try await notes.restoreText(
                of: try request.id, at: try change(request), operation: request.operation)
            return .output(.done("\(note.displayName): restored"))
        },
    ]

    private static func read(_ texts: [String]) throws(ProtocolError) -> [ClientFrame] {
        var frames: [ClientFrame] = []
        for text in texts.prefix(NotesProtocol.maximumInFlight) {
            if let frame = try ClientFrame(text) { frames.append(frame) }
        }
        return frames
    }

    private static func change(_ request: RouteRequest) throws -> Int {
        if let change = request.captures["change"].flatMap(Int.init) { return change }
        throw HubError(.usage, code: "version-invalid", "the path has no version number")
    }

    private static let versionFields = [
        Field<TextVersion>("change", "CHANGE", help: "number of the version") { .integer($0.change) },
        Field<TextVersion>("at", "WHEN", help: "time of the version") { .instant($0.at) },
        Field<TextVersion>("person", "PERSON", help: "person who wrote") { .text($0.person) },
    ]

    private static let textFields = [
        Field<VersionedText>("title", "TITLE", help: "title") { .text($0.title) },
        Field<VersionedText>("title_before", "TITLE BEFORE", help: "title of the version before") {
            .text($0.titleBefore)
        },
        Field<VersionedText>("lines", "LINES", help: "lines, each with kind and text") { text in
            .list(
                text.lines.map { line in
                    let kind =
                        switch line.kind {
                        case .unchanged: ""
                        case .added: "added"
                        case .removed: "removed"
                        }
                    return .object([.init("kind", .text(kind)), .init("text", .text(line.text))])
                })
        },
    ]
}
