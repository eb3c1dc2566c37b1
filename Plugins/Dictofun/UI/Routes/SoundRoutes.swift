import Audio
import Commands
import DictofunDomain
import HubKit

/// The HTTP routes of sound: playing, waveform, export and import.
enum SoundRoutes {
    /// The most columns of a waveform.
    private static let maximumColumns = 2000

    static let all = [
        Route(
            .get, "/api/dictofun/records/{id}/sound", summary: "play a record, whole or in a range",
            query: [.init("converted", "1 for WAV in the place of a file that the browser cannot play")]
        ) { (dictofun: DictofunPlugin, request) in
            let sound = try await dictofun.playableSound(
                of: try await dictofun.records.get(try request.id), isConverted: request.query["converted"] == "1")
            return .content(
                try await RouteContent(path: sound.path, contentType: sound.contentType, version: sound.version))
        },
        Route(
            .get, "/api/dictofun/records/{id}/waveform",
            summary: "show the loudness of equal sections of a record, 0 to 100",
            query: [.init("columns", "number of sections", .integer(1...maximumColumns))],
            fields: waveformFields
        ) { (dictofun: DictofunPlugin, request) in
            let columns = try request.number("columns", in: 1...maximumColumns) ?? 600
            let waveform = try await dictofun.waveform(of: try request.id)
            return .output(.record(waveform.shares(columns), waveformFields))
        },
        Route(
            .get, "/api/dictofun/records/{id}/export", summary: "export a record",
            query: [.init("as", "format: original, wav and others")]
        ) {
            (dictofun: DictofunPlugin, request) in
            guard let format = RecordExportFormat(rawValue: request.query["as"] ?? "original") else {
                let names = RecordExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw HubError(field: "as", "must be one of \(names)")
            }
            let record = try await dictofun.records.get(try request.id)
            let bytes = try await dictofun.exported(record, as: format)
            return .stream(contentType: "application/octet-stream") { send in
                for try await piece in bytes { try await send(piece) }
            }
        },
        Route(
            .get, "/api/dictofun/import", summary: "show how much of an upload was received",
            details: "from where on a file is sent after a lost connection",
            query: [.init("upload", "id of the upload")], fields: uploadFields
        ) { (dictofun: DictofunPlugin, request) in
            .output(.record(try await dictofun.receivedSize(of: request.query["upload"] ?? ""), uploadFields))
        },
        Route(
            .post, "/api/dictofun/import",
            summary: "import a sound file", details: "which is sent in pieces",
            query: [
                .init("upload", "id of the upload, 8 to 64 letters and digits"), .init("name", "name of the file"),
                .init("offset", "place of the bytes in the file", .integer(0...1 << 40)),
                .init("last", "1 with the last part"),
                .init(
                    "changed", "time of the last change of the file, in milliseconds since 1970", .integer(0...1 << 50)),
            ], takesBytes: true,
            fields: importFields
        ) { (dictofun: DictofunPlugin, request) in
            let item = try await dictofun.upload(
                request.query["upload"] ?? "", name: request.query["name"] ?? "file",
                offset: try request.number("offset", in: 0...1 << 40) ?? 0, request.body,
                isLast: request.query["last"] == "1",
                changedAt: try request.number("changed", in: 0...1 << 50).map { Instant(milliseconds: Int64($0)) },
                operation: request.operation)
            return .output(.record(item, importFields))
        },
    ]

    private static let waveformFields = [
        Field<[Int]>("columns", "COLUMNS", help: "loudness of each section, 0 to 100") {
            .list($0.map { .integer($0) })
        }
    ]

    private static let uploadFields = [
        Field<Int>("received", "RECEIVED", help: "bytes that were received; 0 for an unknown or complete upload") {
            .integer($0)
        }
    ]

    private static let importFields = [
        Field<RecordImportItem?>("id", "ID", help: "id of the record; null before the last piece") {
            FieldValue($0?.id)
        },
        Field<RecordImportItem?>("outcome", "OUTCOME", help: "new or unchanged") { FieldValue($0?.outcome.rawValue) },
        Field<RecordImportItem?>("name", "NAME", help: "name of the file") { FieldValue($0?.name) },
        Field<RecordImportItem?>("notes", "NOTES", help: "remarks about the file") { FieldValue($0?.words ?? []) },
    ]
}

extension Waveform {
    /// Returns the loudness of `count` stretches relative to the loudest, 0 to 100.
    fileprivate func shares(_ count: Int) -> [Int] {
        let columns = columns(count)
        guard let loudest = columns.map(\.loudness).max(), loudest > 0 else { return columns.map { _ in 0 } }
        // The square root shows quiet speech too.
        return columns.map { Int((($0.loudness / loudest).squareRoot() * 100).rounded()) }
    }
}
