/// A strict reader of JSON after RFC 8259: UTF-8, one value, unique names in each object, bounded in size and depth.
package struct JSONReader {
    /// Why some bytes are not acceptable as JSON.
    package struct Problem: Error, Equatable {
        /// The kinds of problems.
        package enum Kind: Sendable {
            case unexpectedByte, unexpectedEnd, invalidNumber, invalidString, invalidUTF8, duplicateName, tooDeep
            case tooLarge, trailingText

            /// The problem in a few words.
            package var reason: String {
                switch self {
                case .unexpectedByte: "unexpected character"
                case .unexpectedEnd: "unexpected end"
                case .invalidNumber: "invalid number"
                case .invalidString: "invalid character or escape in a string"
                case .invalidUTF8: "invalid UTF-8"
                case .duplicateName: "repeated name"
                case .tooDeep: "too many levels"
                case .tooLarge: "too many bytes"
                case .trailingText: "unexpected text after the value"
                }
            }
        }

        /// The kind of the problem.
        package let kind: Kind
        /// Its place, in bytes from the beginning.
        package let offset: Int
    }

    /// The bounds of what is accepted.
    package struct Limits: Sendable {
        /// The maximum number of bytes.
        package var bytes: Int
        /// The maximum number of arrays and objects inside each other.
        package var depth: Int
        /// Whether mistakes of careless programs are passed over: repeated names, half a surrogate pair (read as
        /// U+FFFD), and any bytes after the value.
        package var isLenient: Bool

        package init(bytes: Int = 16 << 20, depth: Int = 64, isLenient: Bool = false) {
            self.bytes = bytes
            self.depth = depth
            self.isLenient = isLenient
        }
    }

    /// Returns the value that `bytes` hold.
    package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> JSONValue {
        try read(bytes[...], limits: limits)
    }

    /// Returns the value that a part of some bytes holds; offsets of problems count from the beginning of the part.
    package static func read(_ bytes: ArraySlice<UInt8>, limits: Limits = Limits()) throws(Problem) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw Problem(kind: .tooLarge, offset: limits.bytes) }
        return try bytes.withUnsafeBufferPointer { buffer throws(Problem) in
            var cursor = JSONCursor(buffer, maximumDepth: limits.depth)
            let value = try cursor.value(isLenient: limits.isLenient)
            if !limits.isLenient { try cursor.expectEnd() }
            return value
        }
    }
}

extension JSONCursor {
    /// Takes a value of any kind, with the checks that a cursor alone does not make.
    fileprivate mutating func value(isLenient: Bool) throws(Problem) -> JSONValue {
        switch try kind() {
        case .object:
            var members: [JSONValue.Member] = []
            var names = UniqueNames()
            try beginObject()
            while let (name, start) = try nextName(isLenient: isLenient) {
                guard isLenient || names.insert(name, after: members) else {
                    throw Problem(kind: .duplicateName, offset: start)
                }
                members.append(JSONValue.Member(name: name, value: try value(isLenient: isLenient)))
            }
            return .object(members)
        case .array:
            var elements: [JSONValue] = []
            try beginArray()
            while try nextElement() { elements.append(try value(isLenient: isLenient)) }
            return .array(elements)
        case .string: return .string(try string(isLenient: isLenient))
        case .number: return .number(String(decoding: try number(), as: UTF8.self))
        case .bool: return .bool(try bool())
        case .null:
            try skip()
            return .null
        }
    }
}

/// The names that an object has so far; a set is made only for objects of many members.
private struct UniqueNames {
    private var names: Set<String> = []

    /// Whether `name` differs from the names of all `members`, which are those that were asked for before.
    mutating func insert(_ name: String, after members: [JSONValue.Member]) -> Bool {
        guard members.count >= 16 else { return !members.contains { $0.name == name } }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }
}
