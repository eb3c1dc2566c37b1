/// The name of a file as the system has it: bytes, mostly UTF-8, never `/` or NUL.
package struct FileName: Hashable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// A name of bytes as they come from the system.
    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// A name that is text.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether programs are used not to show it.
    package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

    /// Whether it is `.` or `..`, which every folder has.
    var isDots: Bool { isHidden && (bytes.count == 1 || (bytes.count == 2 && bytes[1] == UInt8(ascii: "."))) }

    /// Whether it ends in `suffix`.
    package func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// Calls `body` with the name as C writes it.
    package func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("a name ends in a NUL at least") }
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
            buffer[bytes.count] = 0
            return body(start)
        }
    }
}

extension FileName: CustomStringConvertible {
    /// The name for messages; invalid UTF-8 is replaced.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
