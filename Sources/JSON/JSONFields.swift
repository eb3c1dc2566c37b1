/// The members of a JSON object, read by name and type.
package struct JSONFields {
    /// The reason why an object cannot be read.
    package struct Problem: Error, Equatable {
        /// The reason, in a few words.
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    private let members: [String: JSONValue]

    /// Creates the members of `value`. Throws if it is not an object.
    package init(_ value: JSONValue) throws(Problem) {
        guard case .object(let members) = value else { throw Problem(reason: "it has the wrong type") }
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Returns the member `name`. Throws if it is missing, null or of another type.
    package func required<Value: JSONReadable>(_ name: String, _: Value.Type = Value.self) throws(Problem) -> Value {
        guard let value: Value = try optional(name) else { throw Problem(reason: "\(name) is missing") }
        return value
    }

    /// Returns the member `name`; nil if it is missing or null. Throws if it is of another type.
    package func optional<Value: JSONReadable>(_ name: String, _: Value.Type = Value.self) throws(Problem) -> Value? {
        guard let value = members[name], value != .null else { return nil }
        guard let read = Value(json: value) else { throw Problem(reason: "\(name) has the wrong type") }
        return read
    }

    /// Returns the elements of the array `name` that `read` accepts; empty if it is missing or null. Throws if it is not
    /// an array.
    package func readable<Element>(
        _ name: String, _ read: (JSONFields) throws(Problem) -> Element
    ) throws(Problem) -> [Element] {
        guard let value = members[name], value != .null else { return [] }
        guard let elements = value.array else { throw Problem(reason: "\(name) has the wrong type") }
        return elements.compactMap { element in
            do throws(Problem) { return try read(try JSONFields(element)) } catch { return nil }
        }
    }
}

/// A type that a JSON value is read as.
package protocol JSONReadable {
    /// Creates the value; nil if the JSON is of another type.
    init?(json: JSONValue)
}

extension JSONValue: JSONReadable {
    /// Creates the value as it is.
    package init?(json: JSONValue) { self = json }
}

extension String: JSONReadable {
    /// Creates the text of a string.
    package init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self = text
    }
}

extension Bool: JSONReadable {
    /// Creates the truth value.
    package init?(json: JSONValue) {
        guard let truth = json.bool else { return nil }
        self = truth
    }
}

extension Double: JSONReadable {
    /// Creates the nearest number; nil if it is not finite.
    package init?(json: JSONValue) {
        guard case .number(let text) = json, let number = Double(text), number.isFinite else { return nil }
        self = number
    }
}

extension Int: JSONReadable {
    /// Creates the number; nil if it has a fraction or does not fit. `1.0` and `1e2` are whole numbers too.
    package init?(json: JSONValue) {
        guard case .number(let text) = json, let number = Int(text) ?? Double(text).flatMap(Int.init(exactly:)) else {
            return nil
        }
        self = number
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Creates the elements; nil if one of them is of another type.
    package init?(json: JSONValue) {
        guard let elements = json.array else { return nil }
        self = []
        for element in elements {
            guard let value = Element(json: element) else { return nil }
            append(value)
        }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Creates the members; nil if one of them is of another type.
    package init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self = [:]
        for member in members {
            guard let value = Value(json: member.value) else { return nil }
            self[member.name] = value
        }
    }
}
