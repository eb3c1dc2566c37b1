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

    /// Whether it ends in `suffix`.
    package func hasSuffix(_ suffix: String) -> Bool {
        let end = Array(suffix.utf8)
        return bytes.count >= end.count && bytes.suffix(end.count) == end[...]
    }

    /// Calls `body` with the name as C writes it.
    package func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { buffer in
                guard let start = buffer.baseAddress else { preconditionFailure("a name ends in a NUL at least") }
                return body(start)
            }
        }
    }
}

extension FileName: CustomStringConvertible {
    /// The name for messages; invalid UTF-8 is replaced.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
