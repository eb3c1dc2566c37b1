/// What can stand for a `?` in a statement.
package protocol Bindable {
    /// The value that is bound.
    var sqlValue: Value { get }
}

extension Value: Bindable {
    package var sqlValue: Value { self }
}

extension Int: Bindable {
    package var sqlValue: Value { .integer(self) }
}

extension Int64: Bindable {
    package var sqlValue: Value { .integer(Int(self)) }
}

extension Int32: Bindable {
    package var sqlValue: Value { .integer(Int(self)) }
}

/// True is 1, false is 0.
extension Bool: Bindable {
    package var sqlValue: Value { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
    package var sqlValue: Value { .real(self) }
}

extension String: Bindable {
    package var sqlValue: Value { .text(self) }
}

extension Substring: Bindable {
    package var sqlValue: Value { .text(String(self)) }
}

extension [UInt8]: Bindable {
    package var sqlValue: Value { .blob(self) }
}

/// `nil` is NULL.
extension Optional: Bindable where Wrapped: Bindable {
    package var sqlValue: Value { self?.sqlValue ?? .null }
}
