/// A parameter of a statement, in PostgreSQL's binary format.
package enum PostgresValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case text(String)
    case bytes([UInt8])
    case ints([Int])
    case texts([String])
    case optionalTexts([String?])
    case blobs([[UInt8]])

    /// The number of the type in PostgreSQL's catalogue; 0 where the statement says it.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .bool: 16
        case .int: 20
        case .text: 25
        case .bytes: 17
        case .ints: 1016
        case .texts, .optionalTexts: 1009
        case .blobs: 1001
        }
    }

    /// The bytes on the wire; nil for NULL.
    func encoded() throws(PostgresError) -> [UInt8]? {
        switch self {
        case .null: return nil
        case .bool(let value): return [value ? 1 : 0]
        case .int(let value): return Self.bytes(of: Int64(value))
        case .text(let value): return try Self.bytes(of: value)
        case .bytes(let value): return value
        case .ints(let values): return Self.array(values.map { Self.bytes(of: Int64($0)) }, type: 20)
        case .texts(let values):
            return Self.array(try values.map { value throws(PostgresError) in try Self.bytes(of: value) }, type: 25)
        case .optionalTexts(let values):
            return Self.array(
                try values.map { value throws(PostgresError) in
                    guard let value else { return nil }
                    return try Self.bytes(of: value)
                }, type: 25)
        case .blobs(let values): return Self.array(values, type: 17)
        }
    }

    private static func bytes(of text: String) throws(PostgresError) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard !bytes.contains(0) else { throw .invalidText }
        return bytes
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    /// An array of one dimension, counted from 1.
    private static func array(_ elements: [[UInt8]?], type: UInt32) -> [UInt8] {
        let hasNull = elements.contains { $0 == nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        bytes += Self.bytes(of: Int32(elements.isEmpty ? 0 : 1))
        bytes += Self.bytes(of: Int32(hasNull ? 1 : 0))
        bytes += Self.bytes(of: type)
        if elements.isEmpty { return bytes }
        bytes += Self.bytes(of: Int32(elements.count))
        bytes += Self.bytes(of: Int32(1))
        for element in elements {
            bytes += Self.bytes(of: Int32(element?.count ?? -1))
            if let element { bytes += element }
        }
        return bytes
    }
}

/// What can be a parameter of a statement.
package protocol PostgresBindable: Sendable {
    /// It as a parameter.
    var postgresValue: PostgresValue { get }
}

extension PostgresValue: PostgresBindable { package var postgresValue: PostgresValue { self } }
extension Bool: PostgresBindable { package var postgresValue: PostgresValue { .bool(self) } }
extension Int: PostgresBindable { package var postgresValue: PostgresValue { .int(self) } }
extension Int64: PostgresBindable { package var postgresValue: PostgresValue { .int(Int(self)) } }
extension String: PostgresBindable { package var postgresValue: PostgresValue { .text(self) } }
extension Optional: PostgresBindable where Wrapped: PostgresBindable {
    /// The value, or NULL.
    package var postgresValue: PostgresValue { map(\.postgresValue) ?? .null }
}
extension Array: PostgresBindable where Element: PostgresElement {
    /// The array as one parameter.
    package var postgresValue: PostgresValue { Element.array(self) }
}

/// What can be in an array that is a parameter; an array of bytes is one value.
package protocol PostgresElement: Sendable {
    /// An array as a parameter.
    static func array(_ elements: [Self]) -> PostgresValue
}

extension UInt8: PostgresElement {
    /// The bytes as `bytea`.
    package static func array(_ elements: [UInt8]) -> PostgresValue { .bytes(elements) }
}
extension Int: PostgresElement {
    /// The numbers as `bigint[]`.
    package static func array(_ elements: [Int]) -> PostgresValue { .ints(elements) }
}
extension String: PostgresElement {
    /// The texts as `text[]`.
    package static func array(_ elements: [String]) -> PostgresValue { .texts(elements) }
}
extension String?: PostgresElement {
    /// The texts as `text[]`, of which some may be NULL.
    package static func array(_ elements: [String?]) -> PostgresValue { .optionalTexts(elements) }
}
extension [UInt8]: PostgresElement {
    /// The contents as `bytea[]`.
    package static func array(_ elements: [[UInt8]]) -> PostgresValue { .blobs(elements) }
}

/// A statement with its parameters. Each connection prepares the text of a statement once.
package struct PostgresQuery: Sendable {
    /// The text, with parameters as `$1`.
    package let sql: String
    /// The values of the parameters.
    package let parameters: [PostgresValue]

    /// Creates a statement with its parameters.
    package init(_ sql: String, _ parameters: any PostgresBindable...) {
        self.init(sql, parameters: parameters.map(\.postgresValue))
    }

    package init(_ sql: String, parameters: [PostgresValue]) {
        self.sql = sql
        self.parameters = parameters
    }
}
