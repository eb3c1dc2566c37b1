import Hashing
package import JSON
package import SQLite
package import Text

/// The rows of one entity, without its id: so the same entity may have different ids on two machines.
package struct Document: Hashable, Sendable {
    /// One value of a row. Texts are compared by their bytes.
    package struct Cell: Hashable, Sendable {
        /// The value.
        package let value: Value

        /// A cell with a value.
        package init(_ value: Value) { self.value = value }

        /// Whether both have the same bytes.
        package static func == (a: Cell, b: Cell) -> Bool {
            if case .text(let a) = a.value, case .text(let b) = b.value { return a.utf8.elementsEqual(b.utf8) }
            return a.value == b.value
        }

        /// Hashes what `==` compares.
        package func hash(into hasher: inout Hasher) {
            if case .text(let text) = value { hasher.combine(Array(text.utf8)) } else { hasher.combine(value) }
        }
    }

    /// The values of a row by their columns.
    package typealias Row = [String: Cell]

    /// The rows by their tables and the rest of their keys, as JSON; tables without rows are left out.
    package var tables: [String: [ByteString: Row]] = [:]

    /// A document without rows.
    package init() {}

    /// Whether there are no rows: the entity does not exist.
    package var isEmpty: Bool { tables.allSatisfy { $0.value.isEmpty } }
}

/// Why a text is not a document.
package struct DocumentProblem: Error, Hashable, Sendable {
    /// The reason.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

extension Document {
    /// The version of the form; a document with another one is left alone.
    private static let version = 1

    /// The document as JSON, with names sorted: equal documents have equal bytes. Integers are numbers, texts are strings; a number with
    /// a fraction is `{"r":"1.5"}`, so that none is rounded on its way, and bytes are `{"b":"base64"}`, or `{"t":"…"}` where they are text.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("rows")
            writer.object { writer in
                for (table, rows) in tables.sorted(by: { $0.key < $1.key }) where !rows.isEmpty {
                    writer.name(table)
                    writer.object { writer in
                        for (key, row) in rows.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
                            writer.name(key.repairedText)
                            writer.object { writer in
                                for (column, cell) in row.sorted(by: { $0.key < $1.key }) {
                                    writer.name(column)
                                    Self.write(cell.value, to: &writer)
                                }
                            }
                        }
                    }
                }
            }
            writer.name("v")
            writer.value(Self.version)
        }
        return writer.bytes
    }

    private static func write(_ value: Value, to writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .integer(let number): writer.value(number)
        case .text(let text): writer.value(text)
        case .real(let number):
            writer.object {
                $0.name("r")
                $0.value(String(number))
            }
        case .blob(let bytes):
            writer.object {
                // A card is text, and stays readable; what is not would grow less as base64.
                if let text = String(validating: bytes, as: UTF8.self) {
                    $0.name("t")
                    $0.value(text)
                } else {
                    $0.name("b")
                    $0.value(Base64.encode(bytes))
                }
            }
        }
    }

    /// Reads a document.
    package init(_ bytes: [UInt8]) throws(DocumentProblem) {
        let json: JSONValue
        do {
            json = try JSONReader.read(bytes)
        } catch {
            throw DocumentProblem(reason: error.kind.reason)
        }
        try self.init(json: json)
    }

    /// Reads a document that is a part of a message.
    package init(json: JSONValue) throws(DocumentProblem) {
        guard json["v"]?.integer == Self.version, case .object(let members)? = json["rows"] else {
            throw DocumentProblem(reason: "it has the form of another version of hub")
        }
        for table in members {
            guard case .object(let rows) = table.value else { throw DocumentProblem(reason: "a table has no rows") }
            var found: [ByteString: Row] = [:]
            for row in rows {
                guard case .object(let cells) = row.value else {
                    throw DocumentProblem(reason: "a row has no columns")
                }
                var values: Row = [:]
                for cell in cells { values[cell.name] = Cell(try Self.value(cell.value)) }
                found[ByteString(row.name)] = values
            }
            if !found.isEmpty { tables[table.name] = found }
        }
    }

    private static func value(_ json: JSONValue) throws(DocumentProblem) -> Value {
        switch json {
        case .null: return .null
        case .string(let text): return .text(text)
        case .number: if let number = json.integer { return .integer(number) }
        case .object:
            if let number = json["r"]?.string.flatMap(Double.init), number.isFinite { return .real(number) }
            if let text = json["t"]?.string { return .blob(Array(text.utf8)) }
            if let bytes = json["b"]?.string.flatMap({ Base64.decode($0.utf8) }) { return .blob(bytes) }
        case .bool, .array: break
        }
        throw DocumentProblem(reason: "a value has an unknown form")
    }

    /// The hash of the bytes of a document, by which two of them are compared.
    package static func etag(_ bytes: [UInt8]) throws(HubError) -> String {
        do {
            return try SHA256.hexadecimal(bytes, prefix: 16)
        } catch {
            throw HubError(
                .unavailable, code: "library-missing", "exchanging with another machine needs libcrypto",
                hint: "apt install libssl3")
        }
    }

    /// The hash of its bytes; empty for a document that is gone.
    package var etag: String {
        get throws { try isEmpty ? "" : Document.etag(bytes) }
    }

    /// The rest of a key as JSON.
    static func key(_ values: [Value]) -> ByteString {
        var writer = JSONWriter()
        writer.array { writer in
            for value in values { write(value, to: &writer) }
        }
        return ByteString(writer.bytes)
    }

    /// The values of the rest of a key.
    static func values(of key: ByteString) throws(DocumentProblem) -> [Value] {
        guard let json = try? JSONReader.read(key.bytes), let elements = json.array else {
            throw DocumentProblem(reason: "a row has no key")
        }
        var values: [Value] = []
        for element in elements { values.append(try value(element)) }
        return values
    }
}
