import Commands
import HubKit
import NotesDomain

/// The HTTP routes of sharing: members, and requests for access.
enum SharingRoutes {
    static let all = [
        Route(
            .post, "/api/notes/{id}/share", summary: "share a note, with `read_only` only for reading",
            body: #"{"names": ["maria"], "read_only": true}"#, fields: accessFields, isForPages: true
        ) { (notes: NotesPlugin, request) in
            let isReading = try request.json(example: namesExample)["read_only"]?.bool ?? false
            let note = try await notes.share(
                try request.id, with: try names(request), isReading: isReading, operation: request.operation)
            return .output(.record(note, accessFields))
        },
        Route(
            .post, "/api/notes/{id}/unshare", summary: "stop sharing a note",
            fields: accessFields, isForPages: true
        ) { (notes: NotesPlugin, request) in
            let note = try await notes.unshare(
                try request.id, from: try names(request), operation: request.operation)
            return .output(.record(note, accessFields))
        },
        Route(
            .post, "/api/notes/{id}/unlock", summary: "ask for access to a locked note",
            body: #"{"reason": "for the trip"}"#,
            fields: accessFields, isForPages: true
        ) {
            (notes: NotesPlugin, request) in
            let json = try request.json(limit: 1 << 14, example: #"{"reason": "for the trip"}"#)
            _ = try await notes.requestAccess(
                to: try request.id, reason: json["reason"]?.string ?? "", operation: request.operation)
            return .output(.record(try await notes.notes.get(try request.id), accessFields))
        },
        Route(
            .get, "/api/notes/requests", summary: "list pending requests for access",
            fields: requestFields
        ) {
            (notes: NotesPlugin, _) in .output(.list(try await notes.openRequests(), requestFields))
        },
        Route(
            .post, "/api/notes/requests", summary: "answer a request for access",
            body: #"{"note": "…", "requester": "maria", "allow": true}"#, isForPages: true
        ) {
            (notes: NotesPlugin, request) in
            let json = try request.json(example: #"{"note": "…", "requester": "maria", "allow": true}"#)
            // A row of Today sends texts only.
            guard let isAllowed = json["allow"]?.bool ?? json["allow"]?.string.map({ $0 == "true" }) else {
                throw HubError(field: "allow", "must be true or false")
            }
            let requester = try json.text("requester")
            let note = try await notes.answerRequest(
                for: try json.text("note"), by: requester, allow: isAllowed, operation: request.operation)
            return .output(.done("\(note.displayName): \(isAllowed ? "shared with" : "denied to") \(requester)"))
        },
    ]

    private static func names(_ request: RouteRequest) throws -> [String] {
        let names = try request.json(example: namesExample)["names"]?.array?.compactMap(\.string) ?? []
        if !names.isEmpty { return names }
        throw HubError(field: "names", "must be an array of at least one name")
    }

    private static let namesExample = #"{"names": ["maria"]}"#

    private static let accessFields = [
        Field<NoteRecord>("owner", "OWNER", help: "owner of the note") { .text($0.access.owner) },
        Field<NoteRecord>("access", "ACCESS", help: "members that may open it") { FieldValue($0.access.members) },
        Field<NoteRecord>("readers", "READERS", help: "those of the members that may not edit it") {
            FieldValue($0.access.readers)
        },
    ]

    private static let requestFields = [
        Field<OpenRequest>("note", "NOTE", help: "id of the note") { .text($0.note.id) },
        Field<OpenRequest>("name", "NAME", help: "title of the note, or else the first line of its text") {
            .text($0.note.name)
        },
        Field<OpenRequest>("requester", "WHO", help: "account or device that asks") { .text($0.request.requester) },
        Field<OpenRequest>("reason", "REASON", help: "reason as written; empty for none") { .text($0.request.reason) },
        Field<OpenRequest>("at", "WHEN", help: "time of the request") { .instant($0.request.requestedAt) },
    ]
}
