import Commands
import ContactsDomain
import HubKit

/// The HTTP routes of pictures and of files with contacts.
enum FileRoutes {
    static let all = [
        Route(.get, "/api/contacts/{id}/photo", summary: "show the picture of a contact") {
            (contacts: ContactsPlugin, request) in
            let contact = try await contacts.entities.get(try request.id)
            guard case .picture(let bytes) = contact.card.photo, let type = PictureType(sniffing: bytes) else {
                throw HubError(.notFound, code: "photo-missing", "\(contact.summary.shownName) has no picture")
            }
            return .asset(bytes, contentType: "image/\(type.rawValue)")
        },
        Route(
            .put, "/api/contacts/{id}/photo", summary: "set the picture of a contact",
            details: "to the bytes of the body", takesBytes: true
        ) {
            (contacts: ContactsPlugin, request) in
            let result = try await contacts.setPhoto(
                of: try request.id, to: request.body, operation: request.operation)
            return .output(.done("\(result.contact.summary.shownName): picture set"))
        },
        Route(.delete, "/api/contacts/{id}/photo", summary: "remove the picture of a contact") {
            (contacts: ContactsPlugin, request) in
            let result = try await contacts.setPhoto(
                of: try request.id, to: nil, operation: request.operation)
            return .output(.done("\(result.contact.summary.shownName): picture removed"))
        },
        Route(
            .post, "/api/contacts/import", summary: "import contacts", details: "from the file in the body",
            query: [.init("name", "name of the file")], takesBytes: true,
            fields: importFields
        ) {
            (contacts: ContactsPlugin, request) in
            let body = OneChunk(request.body)
            let source = ImportSource(request.query["name"] ?? "file", next: { await body.next() })
            let report = try await contacts.importCards(source, operation: request.operation)
            return .output(.record(report, importFields))
        },
        Route(
            .post, "/api/contacts/export", summary: "export contacts",
            details: "as vcard, vcard3, vcard4, jcard, csv or ics", body: #"{"ids": ["…"], "as": "vcard"}"#,
            required: ["ids"]
        ) {
            (contacts: ContactsPlugin, request) in
            let body = try EntitySelection(request)
            let ids = body.ids
            let format = body.word("as").map(ExportFormat.init(rawValue:)) ?? .vcard
            guard let writer = format?.writer(isSingle: ids.count == 1, isSpreadsheetSafe: true) else {
                throw HubError(
                    .invalid, code: "format-unknown", "unknown format",
                    hint: "use vcard, vcard3, vcard4, jcard, csv or ics")
            }
            var bytes: [UInt8] = []
            for try await chunk in contacts.exportCards(ids, by: writer) { bytes += chunk }
            return .asset(bytes, contentType: "application/octet-stream")
        },
    ]

    private static let importFields = [
        Field<ContactImportReport>("new", "NEW", help: "number of new contacts") {
            .integer($0.counts[.new, default: 0])
        },
        Field<ContactImportReport>("updated", "UPDATED", help: "number of changed contacts") {
            .integer($0.counts[.updated, default: 0])
        },
        Field<ContactImportReport>("unchanged", "UNCHANGED", help: "number of known contacts without changes") {
            .integer($0.counts[.unchanged, default: 0])
        },
        Field<ContactImportReport>("skipped", "SKIPPED", help: "number of cards that cannot be read") {
            .integer($0.skippedCount)
        },
        Field<ContactImportReport>("ids", "IDS", help: "ids of the first new and changed contacts") {
            FieldValue($0.items.map(\.id))
        },
        Field<ContactImportReport>("problems", "PROBLEMS", help: "reasons for skipping, of the first cards") {
            FieldValue($0.skipped.map { "line \($0.line): \($0.message)" })
        },
        Field<ContactImportReport>("notes", "NOTES", help: "remarks about the file") { FieldValue($0.notes) },
    ]
}

/// Bytes that are given once.
private actor OneChunk {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func next() -> [UInt8]? {
        defer { bytes = nil }
        return bytes
    }
}
