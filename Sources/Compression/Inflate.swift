import CZlib

/// An error while decompressing.
package enum InflateError: Error, Hashable, Sendable {
    /// zlib is not installed, with the loader's words.
    case libraryMissing(String)
    /// The bytes are not compressed in this way, are damaged, or end too early.
    case broken
    /// They hold more than so many bytes.
    case tooLarge(limit: Int)
}

/// Decompresses what has a `Content-Encoding` of HTTP (RFC 9110 §8.4.1).
package enum Inflate {
    /// The size of the parts that are decompressed at once.
    private static let part = 64 << 10

    /// Decompresses bytes in the format of gzip (RFC 1952) or zlib (RFC 1950), or in bare deflate (RFC 1951), which some clients
    /// send as `deflate`. No more than `limit` bytes are ever held.
    package static func decompressed(_ bytes: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
        let isZlib = bytes.count > 1 && bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        let isGzip = bytes.starts(with: [0x1F, 0x8B])
        // 32 more bits find out which of gzip and zlib it is; a negative number is bare deflate.
        return try decompressed(bytes, windowBits: isGzip || isZlib ? 32 + 15 : -15, limit: limit)
    }

    private static func decompressed(
        _ bytes: [UInt8], windowBits: Int32, limit: Int
    ) throws(InflateError) -> [UInt8] {
        var reason: UnsafePointer<CChar>?
        guard let library = lazy_zlib_load(&reason)?.pointee else {
            throw .libraryMissing(reason.map { String(cString: $0) } ?? "")
        }
        var stream = z_stream()
        guard library.inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else {
            throw .broken
        }
        defer { _ = library.inflateEnd(&stream) }
        var input = bytes
        var buffer = [UInt8](repeating: 0, count: part)
        let result = input.withUnsafeMutableBufferPointer { input -> Result<[UInt8], InflateError> in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            var output: [UInt8] = []
            while true {
                let (status, count) = buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    let status = library.inflate(&stream, Z_NO_FLUSH)
                    return (status, buffer.count - Int(stream.avail_out))
                }
                guard output.count + count <= limit else { return .failure(.tooLarge(limit: limit)) }
                output += buffer[..<count]
                if status == Z_STREAM_END { return .success(output) }
                guard status == Z_OK, count > 0 || stream.avail_in > 0 else { return .failure(.broken) }
            }
        }
        return try result.get()
    }
}
