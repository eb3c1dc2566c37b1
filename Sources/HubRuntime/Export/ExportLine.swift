import Commands
import HubKit
import SQLite
import Storage

/// An item in the list of an export: a line of JSON.
struct ExportLine {
    /// A file with a part of the item.
    struct File {
        /// The part, such as `card`.
        let role: String
        /// The path in the folder of the export.
        let path: String
        /// The SHA-256 of the file.
        let hash: String
        /// The number of bytes at its beginning that are not part of the item.
        let head: Int
        /// Whether it is stored as a blob.
        let isBlob: Bool
    }

    /// The rows of the item.
    let rows: ItemRows
    /// Its files.
    let files: [File]

    /// The longest line, in bytes.
    static let limit = 256 << 20

    init(rows: ItemRows, files: [File]) {
        self.rows = rows
        self.files = files
    }

    /// Reads a line.
    init(_ line: ArraySlice<UInt8>) throws {
        let json = try JSONReader.read(line, limits: JSONReader.Limits(bytes: Self.limit))
        guard let id = json["id"]?.string, !id.isEmpty, id.utf8.count <= 1000,
            case .object(let tables)? = json["rows"]
        else { throw Self.damaged }
        files = try (json["files"]?.array ?? []).map { file in
            guard let role = file["role"]?.string, let path = file["path"]?.string, ExportName.isPath(path),
                let hash = file["sha256"]?.string, BlobID(hash) != nil
            else { throw Self.damaged }
            return File(
                role: role, path: path, hash: hash, head: max(0, file["head"]?.integer ?? 0),
                isBlob: file["blob"]?.bool ?? false)
        }
        rows = ItemRows(
            id: id,
            tables: try tables.map { table in
                ItemRows.Table(
                    name: table.name,
                    rows: try (table.value.array ?? []).map { row in
                        guard case .object(let members) = row else { throw Self.damaged }
                        return try members.map { (column: $0.name, value: try Self.value($0.value)) }
                    })
            })
    }

    /// The line, with its end.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.name("id")
            json.value(rows.id)
            if !files.isEmpty {
                json.name("files")
                json.array { json in
                    for file in files { Self.write(file, to: &json) }
                }
            }
            json.name("rows")
            json.object { json in
                for table in rows.tables where !table.rows.isEmpty {
                    json.name(table.name)
                    json.array { json in
                        for row in table.rows {
                            json.object { json in
                                for (column, value) in row {
                                    json.name(column)
                                    Self.write(value, to: &json)
                                }
                            }
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.bytes
    }

    private static func write(_ file: File, to json: inout JSONWriter) {
        json.object { json in
            json.name("role")
            json.value(file.role)
            json.name("path")
            json.value(file.path)
            json.name("sha256")
            json.value(file.hash)
            if file.head > 0 {
                json.name("head")
                json.value(file.head)
            }
            if file.isBlob {
                json.name("blob")
                json.value(true)
            }
        }
    }

    private static func write(_ value: Value, to json: inout JSONWriter) {
        switch value {
        case .null: json.null()
        case .integer(let number): json.value(number)
        // JSON has no infinite numbers, and neither has a table.
        case .real(let number): number.isFinite ? json.number("\(number)") : json.null()
        case .text(let text): json.value(text)
        case .blob(let bytes):
            json.object { json in
                if let text = String(validating: bytes, as: UTF8.self) {
                    json.name("utf8")
                    json.value(text)
                } else {
                    json.name("hex")
                    json.value(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
                }
            }
        }
    }

    private static func value(_ json: JSONValue) throws -> Value {
        switch json {
        case .null: return .null
        case .bool(let truth): return .integer(truth ? 1 : 0)
        case .number(let text):
            if let number = Int(text) { return .integer(number) }
            guard let number = Double(text) else { throw damaged }
            return .real(number)
        case .string(let text): return .text(text)
        case .object:
            if let text = json["utf8"]?.string { return .blob(Array(text.utf8)) }
            guard let digits = json["hex"]?.string, digits.utf8.count.isMultiple(of: 2) else { throw damaged }
            let values = try digits.utf8.map { digit in
                guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { throw damaged }
                return UInt8(value)
            }
            return .blob(stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] })
        case .array: throw damaged
        }
    }

    private static var damaged: HubError {
        HubError(.invalid, code: "export-damaged", "a line of the list is not an item of an export")
    }
}

/// Reads a file line by line.
struct LineReader {
    private let reader: ChunkedFileReader
    private var rest: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ path: String) throws { reader = try ChunkedFileReader(path: path, isRegular: true) }

    /// Returns the next line without its end; nil after the last one.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return rest[start..<end]
            }
            searched = rest.count
            guard !isAtEnd else {
                guard start < rest.count else { return nil }
                defer { start = rest.count }
                return rest[start...]
            }
            guard rest.count - start <= ExportLine.limit else {
                throw HubError(.invalid, code: "export-damaged", "a line of the list is too long")
            }
            searched -= start
            rest.removeFirst(start)
            start = 0
            if let bytes = try reader.next() { rest += bytes } else { isAtEnd = true }
        }
    }
}
