import Commands
import HubKit
import NotesDomain
import Storage

/// The HTTP routes of the files of a note.
enum AttachmentRoutes {
    static let all = [
        Route(
            .get, "/api/notes/{id}/attachments", summary: "list the attachments of a note",
            fields: AttachmentCommands.fields
        ) {
            (notes: NotesPlugin, request) in
            .output(.list(try await notes.attachments(of: try request.id), AttachmentCommands.fields))
        },
        Route(
            .post, "/api/notes/{id}/attachments",
            summary: "attach a file to a note", details: "which is sent in pieces",
            query: [
                .init("upload", "id of the upload, 8 to 64 letters and digits"), .init("name", "name of the file"),
                .init("offset", "place of the bytes in the file", .integer(0...NoteLimits.attachment)),
                .init("last", "1 with the last part"),
            ], takesBytes: true,
            fields: attachedFields
        ) { (notes: NotesPlugin, request) in
            let attached = try await notes.attachUpload(
                request.query["upload"] ?? "", name: request.query["name"] ?? "file",
                offset: try request.number("offset", in: 0...NoteLimits.attachment) ?? 0, request.body,
                isLast: request.query["last"] == "1", to: try request.id, operation: request.operation)
            return .output(.record(attached, attachedFields))
        },
        Route(.get, "/api/notes/{id}/attachments/{hash}", summary: "read an attachment by its SHA-256") {
            (notes: NotesPlugin, request) in
            let found = try await attachment(request, notes)
            let (path, stored) = try await notes.attachmentFile(found.stored.path, of: try request.id)
            // Only what is decoded and never run is shown; all else is saved.
            let isShown = MediaType.isPicture(stored.type)
            return .content(
                try await RouteContent(
                    path: path, contentType: isShown ? stored.type : MediaType.unknown, version: stored.blob.text,
                    fileName: isShown ? nil : stored.name))
        },
        Route(.delete, "/api/notes/{id}/attachments/{hash}", summary: "remove an attachment, and the links to it") {
            (notes: NotesPlugin, request) in
            let found = try await attachment(request, notes)
            try await notes.detach([found.stored], from: try request.id, operation: request.operation)
            return .output(.done("\(found.stored.name): removed"))
        },
    ]

    private static func attachment(_ request: RouteRequest, _ notes: NotesPlugin) async throws -> NoteAttachment {
        let hash = request.captures["hash"]
        let found = try await notes.attachments(of: try request.id).first { $0.stored.blob.text == hash }
        if let found { return found }
        throw HubError(.notFound, code: "attachment-not-found", "attachment not found in this note")
    }

    private static let attachedFields = [
        Field<AttachedFile?>(
            "link", "LINK", help: "link to it in Markdown; null before the last piece"
        ) { FieldValue($0?.link) },
        Field<AttachedFile?>("name", "NAME", help: "file name") {
            FieldValue($0?.attachment.name)
        },
        Field<AttachedFile?>("sha256", "SHA-256", help: "hash of the content") {
            FieldValue($0?.attachment.blob.text)
        },
    ]

    /// An attachment of a note as the page reads it.
    static func value(of attachment: NoteAttachment) -> FieldValue {
        .object([
            .init("name", .text(attachment.stored.name)), .init("path", .text(attachment.stored.path.description)),
            .init("type", .text(attachment.stored.type)),
            .init("picture", .bool(MediaType.isPicture(attachment.stored.type))),
            .init("size_bytes", .integer(attachment.stored.size)), .init("sha256", .text(attachment.stored.blob.text)),
            .init("targets", FieldValue(attachment.targets)),
        ])
    }
}
