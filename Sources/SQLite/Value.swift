/// One value as SQLite stores it (its five storage classes).
package enum Value: Hashable, Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Value: CustomStringConvertible {
    /// The value for messages: text as it is, a blob by its size.
    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): "blob of \(bytes.count) bytes"
        }
    }
}
