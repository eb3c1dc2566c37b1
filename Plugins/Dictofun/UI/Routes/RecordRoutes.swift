import Commands
import DictofunDomain
import HubKit
import Storage

/// The HTTP routes of records: lists, one record, its text and tags, and the trash.
enum RecordRoutes {
    static let all = lists + changes

    /// The maximum number of records in one request.
    private static let maximumCount = 500

    private static let lists = [
        Route(.get, "/api/dictofun/rows", summary: "list a part of the records that match q and tag") {
            (dictofun: DictofunPlugin, request) in
            var filter = RecordFilter()
            filter.words = RecordWords.split(request.query["q"] ?? "")
            filter.tags = [request.query["tag"] ?? ""].filter { !$0.isEmpty }
            let offset = try request.number("offset", in: 0...1_000_000_000) ?? 0
            let limit = try request.number("limit", in: 1...maximumCount) ?? 100
            return .output(
                .record(try await dictofun.recordPage(filter, offset: offset, limit: limit), RecordView.pageFields))
        },
        Route(.get, "/api/dictofun/filters", summary: "list tags with their number of records, and count the trash") {
            (dictofun: DictofunPlugin, _) in
            let filters = RecordView.Filters(
                tags: try await dictofun.records.tags(), trashed: try await dictofun.records.trash().count)
            return .output(.record(filters, RecordView.filterFields))
        },
        Route(.get, "/api/dictofun/records/{id}", summary: "show a record with its text") {
            (dictofun: DictofunPlugin, request) in
            let record = try await dictofun.records.get(try request.id)
            var device: Device?
            if case .device(let address, _) = record.record.origin {
                device = try await dictofun.devices().map(\.device).first { $0.address == address }
            }
            let job = try await dictofun.transcription(of: record.id)
            return .output(
                .record(RecordView(record: record, device: device, job: job), RecordView.fields))
        },
        Route(.get, "/api/dictofun/records/{id}/history", summary: "list the changes of a record, newest first") {
            (dictofun: DictofunPlugin, request) in
            .output(
                .list(
                    try await dictofun.records.history(of: try request.id),
                    EntityCommands<DictofunPlugin, StoredRecord>.historyFields))
        },
        Route(.get, "/api/dictofun/trash", summary: "list the records in the trash, last removed first") {
            (dictofun: DictofunPlugin, _) in
            .output(.list(try await dictofun.records.trash(), RecordView.trashFields))
        },
        Route(.get, "/api/dictofun/engines", summary: "list the engines for transcription") {
            (dictofun: DictofunPlugin, _) in .output(.list(dictofun.listEngines(), EnginesCommands.fields))
        },
    ]

    private static let changes = [
        Route(
            .put, "/api/dictofun/records/{id}/text",
            summary: "change the text of a record; null restores the engine's, If-Match holds the revision"
        ) { (dictofun: DictofunPlugin, request) in
            let text = try request.json(limit: 8 << 20, example: #"{"text": "Call the plumber"}"#)["text"]
            guard let text, text.string != nil || text == .null else {
                throw HubError(field: "text", "must be a string or null")
            }
            let saved = try await dictofun.editTranscript(
                of: try request.id, text.string, expecting: try request.revision, operation: request.operation)
            return .output(.record(RecordView(record: saved, device: nil, job: nil), RecordView.fields))
        },
        Route(
            .put, "/api/dictofun/records/{id}",
            summary: "correct the title and time of a record; If-Match holds the revision"
        ) { (dictofun: DictofunPlugin, request) in
            let body = try request.json(
                limit: 1 << 16, example: #"{"title": "Call with Ann", "recorded": "2026-03-07 08:26"}"#)
            var correction = RecordCorrection(title: body["title"]?.string.map { TerminalSanitizer.line($0) })
            if let recorded = body["recorded"]?.string { try correction.assign(date: recorded) }
            let saved = try await dictofun.correct(
                try request.id, correction, expecting: try request.revision, operation: request.operation)
            return .output(.record(RecordView(record: saved, device: nil, job: nil), RecordView.fields))
        },
        Route(.post, "/api/dictofun/tags", summary: "add and remove tags of several records") {
            (dictofun: DictofunPlugin, request) in
            let body = try RecordSelection(request)
            let changed = try await dictofun.records.setTags(
                of: body.ids, adding: body.words("add"), removing: body.words("remove"), operation: request.operation)
            return .output(.record(changed.count, countFields))
        },
        Route(.post, "/api/dictofun/trash", summary: "move several records to the trash") {
            (dictofun: DictofunPlugin, request) in
            let removed = try await dictofun.records.delete(
                try RecordSelection(request).ids, operation: request.operation)
            return .output(.record(removed.count, countFields))
        },
        Route(.post, "/api/dictofun/restore", summary: "restore records from the trash") {
            (dictofun: DictofunPlugin, request) in
            let restored = try await dictofun.records.restore(
                try RecordSelection(request).ids, operation: request.operation)
            return .output(.record(restored.count, countFields))
        },
        Route(.post, "/api/dictofun/transcribe", summary: "request the transcription of records; again repeats it") {
            (dictofun: DictofunPlugin, request) in
            let body = try RecordSelection(request)
            let taken = try await dictofun.requestTranscription(
                of: body.ids, engine: body.word("engine"), language: body.word("language"), again: body.isSet("again"),
                operation: request.operation)
            return .output(.record(taken.count, countFields))
        },
        Route(.post, "/api/dictofun/transcribe/cancel", summary: "cancel the transcription of records") {
            (dictofun: DictofunPlugin, request) in
            .output(
                .record(try await dictofun.cancelTranscription(of: try RecordSelection(request).ids), countFields))
        },
        Route(.post, "/api/dictofun/engines/test", summary: "test an engine with a spoken sentence") {
            (dictofun: DictofunPlugin, request) in
            let engine = try request.json(example: #"{"engine": "whisper"}"#)["engine"]?.string
            let (label, heard, measurement) = try await dictofun.testEngine(engine)
            return .output(
                .record(
                    EnginesCommands.Test(engine: label, heard: heard, measurement: measurement),
                    EnginesCommands.testFields))
        },
    ]

    private static let countFields = [
        Field<Int>("records", "RECORDS", help: "number of changed records") { .integer($0) }
    ]
}

/// The JSON body of a request about several records: `{"ids": […], …}`.
struct RecordSelection {
    private let value: JSONValue
    /// The ids of the records, at least one.
    let ids: [String]

    /// The maximum number of records in one request.
    private static let maximumCount = 100_000

    /// Reads the body. Throws when it has no ids.
    init(_ request: RouteRequest) throws {
        value = try request.json(limit: 8 << 20, depth: 4, example: #"{"ids": ["…"]}"#)
        ids = value["ids"]?.array?.compactMap(\.string) ?? []
        guard (1...Self.maximumCount).contains(ids.count), ids.count == value["ids"]?.array?.count else {
            throw HubError(field: "ids", "must be an array of 1 to \(NumberFormat.grouped(Self.maximumCount)) ids")
        }
    }

    /// The texts in the array `name`; empty if it is missing.
    func words(_ name: String) -> [String] { value[name]?.array?.compactMap(\.string) ?? [] }

    /// The text `name`; nil if it is missing or empty.
    func word(_ name: String) -> String? { value[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the member `name` is true.
    func isSet(_ name: String) -> Bool { value[name]?.bool ?? false }
}
