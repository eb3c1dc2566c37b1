import Commands
import DictofunDomain
import HubKit
import Storage

/// The HTTP routes of records: those that every entity has, and those of text, transcription and engines.
enum RecordRoutes {
    /// A record in the list of the page.
    private struct Row: Sendable {
        let record: RecordSummary
        let isWaiting: Bool
    }

    static let entity = RecordCommands.entity.web(
        at: "/api/dictofun/records",
        rowFields: [
            Field<Row>(
                "is_waiting", "WAITING", help: "whether it waits for an engine, or one works on it", column: .onRequest
            ) { .bool($0.isWaiting) }
        ],
        show: { (dictofun: DictofunPlugin, record, _) in
            .record(try await dictofun.view(of: record), RecordView.fields)
        }, summary: \.record
    ) { dictofun, query in
        var filter = RecordFilter()
        filter.words = RecordWords.split(query.words)
        filter.tags = [query.tag].compactMap(\.self)
        let page = try await dictofun.recordPage(filter, offset: query.offset, limit: query.limit)
        var start = 0
        return EntityPage(
            page.records.map { Row(record: $0, isWaiting: page.waiting.contains($0.id)) }, total: page.total,
            groups: page.months.map { month, count in
                defer { start += count }
                return .init(month, start: start)
            })
    }

    static let all = [
        Route(
            .get, "/api/dictofun/engines", summary: "list the engines for transcription",
            fields: EnginesCommands.fields
        ) {
            (dictofun: DictofunPlugin, _) in .output(.list(dictofun.listEngines(), EnginesCommands.fields))
        },
        Route(
            .put, "/api/dictofun/records/{id}/text",
            summary: "edit the text of a record",
            details: "null restores the engine's; `If-Match` holds the revision", body: #"{"text": null}"#,
            required: ["text"]
        ) { (dictofun: DictofunPlugin, request) in
            let text = try request.json(limit: 8 << 20, example: #"{"text": "Call the plumber"}"#)["text"]
            guard let text, text.string != nil || text == .null else {
                throw HubError(field: "text", "must be a string or null")
            }
            let saved = try await dictofun.editTranscript(
                of: try request.id, text.string, expecting: try request.revision, operation: request.operation)
            return .output(.record(try await dictofun.view(of: saved), RecordView.fields))
        },
        Route(
            .put, "/api/dictofun/records/{id}",
            summary: "edit the title and time of a record",
            details: "`is_time_unknown` keeps the day alone; `If-Match` holds the revision",
            body: #"{"title": "Call with Ann", "recorded_at": "2026-03-07T08:26", "is_time_unknown": false}"#
        ) { (dictofun: DictofunPlugin, request) in
            let body = try request.json(
                limit: 1 << 16, example: #"{"title": "Call with Ann", "recorded_at": "2026-03-07T08:26"}"#)
            var correction = RecordCorrection(title: body["title"]?.string.map { TerminalSanitizer.line($0) })
            if let recorded = body["recorded_at"]?.string { try correction.assign(date: recorded) }
            if let isUnknown = body["is_time_unknown"] { correction.isTimeUnknown = isUnknown == .bool(true) }
            let saved = try await dictofun.correct(
                try request.id, correction, expecting: try request.revision, operation: request.operation)
            return .output(.record(try await dictofun.view(of: saved), RecordView.fields))
        },
        Route(
            .post, "/api/dictofun/transcribe", summary: "transcribe records", details: "`again` repeats it",
            body: #"{"ids": ["…"], "engine": "whisper", "language": "en", "again": false}"#, required: ["ids"]
        ) { (dictofun: DictofunPlugin, request) in
            let body = try EntitySelection(request)
            let taken = try await dictofun.requestTranscription(
                of: body.ids, engine: body.word("engine"), language: body.word("language"),
                again: body.flag("again") ?? false,
                operation: request.operation)
            return EntityWeb.changed(taken.count)
        },
        Route(
            .post, "/api/dictofun/transcribe/cancel", summary: "cancel the transcription of records",
            body: #"{"ids": ["…"]}"#, required: ["ids"]
        ) { (dictofun: DictofunPlugin, request) in
            EntityWeb.changed(try await dictofun.cancelTranscription(of: try EntitySelection(request).ids))
        },
        Route(
            .post, "/api/dictofun/engines/test", summary: "test an engine with a spoken sentence",
            body: #"{"engine": "whisper"}"#,
            fields: EnginesCommands.testFields, isForPages: true
        ) {
            (dictofun: DictofunPlugin, request) in
            let engine = try request.json(example: #"{"engine": "whisper"}"#)["engine"]?.string
            let (label, heard, measurement) = try await dictofun.testEngine(engine)
            return .output(
                .record(
                    EnginesCommands.Test(engine: label, heard: heard, measurement: measurement),
                    EnginesCommands.testFields))
        },
    ]
}
