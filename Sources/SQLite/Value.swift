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

/// A value that can be bound to a `?` in a statement.
package protocol Bindable {
    /// The value that is bound.
    var sqlValue: Value { get }
}

extension Value: Bindable {
    /// The value itself.
    package var sqlValue: Value { self }
}

extension Int: Bindable {
    /// An INTEGER.
    package var sqlValue: Value { .integer(self) }
}

extension Int64: Bindable {
    /// An INTEGER with the same value.
    package var sqlValue: Value { .integer(Int(self)) }
}

extension Int32: Bindable {
    /// An INTEGER with the same value.
    package var sqlValue: Value { .integer(Int(self)) }
}

/// True is 1, false is 0.
extension Bool: Bindable {
    /// An INTEGER: 1 for true, 0 for false.
    package var sqlValue: Value { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
    /// A REAL.
    package var sqlValue: Value { .real(self) }
}

extension String: Bindable {
    /// A TEXT.
    package var sqlValue: Value { .text(self) }
}

extension Substring: Bindable {
    /// A TEXT with a copy of the substring.
    package var sqlValue: Value { .text(String(self)) }
}

extension [UInt8]: Bindable {
    /// A BLOB.
    package var sqlValue: Value { .blob(self) }
}

/// `nil` is NULL.
extension Optional: Bindable where Wrapped: Bindable {
    /// The wrapped value, or NULL for nil.
    package var sqlValue: Value { self?.sqlValue ?? .null }
}
