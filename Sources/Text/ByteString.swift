import Glibc

/// A name that was given elsewhere, such as a path, an href, a UID or an ETag: bytes that need not be UTF-8.
///
/// Two are equal only if all their bytes are, whereas two `String`s are equal in all Unicode forms of one text.
package struct ByteString: Hashable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// A name of bytes as they are.
    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// A name that is text.
    package init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The name as text; nil unless it is UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The name as text, in which U+FFFD stands for what is not UTF-8.
    package var repairedText: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether there are no bytes.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Returns whether it begins with `prefix`.
    package func hasPrefix(_ prefix: ByteString) -> Bool { bytes.starts(with: prefix.bytes) }

    /// Returns whether it ends in `suffix`.
    package func hasSuffix(_ suffix: ByteString) -> Bool {
        bytes.suffix(suffix.bytes.count).elementsEqual(suffix.bytes)
    }

    /// Returns the bytes of two names, one after the other.
    package static func + (a: ByteString, b: ByteString) -> ByteString { ByteString(a.bytes + b.bytes) }
}

extension ByteString: Comparable {
    /// Compares by bytes.
    package static func < (a: ByteString, b: ByteString) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

extension ByteString: ExpressibleByStringInterpolation {
    /// Creates the name that is written in the program.
    package init(stringLiteral text: String) { self.init(text) }
}

extension ByteString: CustomStringConvertible {
    /// The name for messages; a byte that is not UTF-8 is written as `\xE9`.
    package var description: String {
        if let text { return text }
        var result = ""
        var decoder = UTF8()
        var rest = bytes[...]
        while !rest.isEmpty {
            var iterator = rest.makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&iterator) {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else if let byte = rest.popFirst() {
                result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            decoder = UTF8()
        }
        return result
    }
}

/// Paths, whose names are separated by `/`.
extension ByteString {
    /// What follows the last slash.
    package var lastName: ByteString {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { ByteString(bytes[($0 + 1)...]) } ?? self
    }

    /// What comes before the last slash; empty without one.
    package var parent: ByteString {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { ByteString(bytes[..<$0]) } ?? ByteString([])
    }

    /// Returns the path of `name` in this folder; an empty path is the folder that it is relative to.
    package func appending(_ name: ByteString) -> ByteString {
        isEmpty ? name : ByteString(bytes + [UInt8(ascii: "/")] + name.bytes)
    }

    /// Returns whether the path is that of a folder or of what is in it.
    package func isWithin(_ folder: ByteString) -> Bool {
        hasPrefix(folder)
            && (folder.isEmpty || bytes.count == folder.bytes.count || folder.bytes.last == UInt8(ascii: "/")
                || bytes[folder.bytes.count] == UInt8(ascii: "/"))
    }
}

extension StringProtocol {
    /// Returns whether two texts have the same bytes; `==` also holds for two Unicode forms of one text.
    @inlinable public func hasSameBytes(as other: some StringProtocol) -> Bool {
        withBytes { bytes in other.withBytes { bytes.isSame(as: $0) } }
    }

    /// Calls `body` with the bytes of the text as they are in memory: one by one they would take many times as long.
    @inlinable public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}

extension UnsafeBufferPointer<UInt8> {
    @usableFromInline func isSame(as other: Self) -> Bool {
        guard count == other.count, let start = baseAddress, let other = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, other, count) == 0
    }
}
