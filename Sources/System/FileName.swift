/// The name of a file as the system has it, or a path: bytes, mostly UTF-8, never NUL.
package typealias FileName = ByteString

extension ByteString {
    /// Whether programs are used not to show a file of this name.
    package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

    /// Whether it is `.` or `..`, which every folder has.
    var isDots: Bool { isHidden && (bytes.count == 1 || (bytes.count == 2 && bytes[1] == UInt8(ascii: "."))) }

    /// Calls `body` with a path as C writes it.
    package static func withPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        RawText.contains(path) ? ByteString(path: path).withPointer(body) : path.withCString(body)
    }

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
