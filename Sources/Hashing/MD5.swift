import CCrypto

/// The hash function MD5 (RFC 1321) of libcrypto, by which some file formats name their parts. It protects nothing.
package enum MD5 {
    /// Returns the hash of `message` as 32 hexadecimal digits.
    package static func hexadecimal(_ message: [UInt8]) throws(HashingError) -> String {
        if let reason = ccrypto_load() { throw .libraryMissing(String(cString: reason)) }
        var isDone = false
        let hash = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            isDone = ccrypto_md5(message, message.count, buffer.baseAddress)
            count = isDone ? 16 : 0
        }
        guard isDone else { throw .failed }
        return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
