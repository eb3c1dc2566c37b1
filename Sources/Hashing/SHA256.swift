import CCrypto

/// The hash function SHA-256 (FIPS 180-4) of libcrypto, for secrets that are kept as their hash, and for contents that
/// are named by it.
package struct SHA256: ~Copyable {
    /// The size of a hash in bytes.
    package static let size = 32

    private let state: OpaquePointer

    /// Begins a hash.
    package init() throws(HashingError) {
        if let reason = ccrypto_load() { throw .libraryMissing(String(cString: reason)) }
        guard let state = ccrypto_sha256_new() else { throw .failed }
        self.state = state
    }

    deinit { ccrypto_sha256_free(state) }

    /// Adds bytes in their order.
    package mutating func add(_ bytes: [UInt8]) throws(HashingError) {
        guard ccrypto_sha256_add(state, bytes, bytes.count) else { throw .failed }
    }

    /// Returns the 32 bytes of the hash of all that was added.
    package consuming func finish() throws(HashingError) -> [UInt8] {
        var isSound = false
        let hash = [UInt8](unsafeUninitializedCapacity: SHA256.size) { buffer, count in
            isSound = ccrypto_sha256_finish(state, buffer.baseAddress)
            count = isSound ? SHA256.size : 0
        }
        guard isSound else { throw .failed }
        return hash
    }

    /// Returns the 32 bytes of the hash of `message`.
    package static func hash(_ message: some Sequence<UInt8>) throws(HashingError) -> [UInt8] {
        var hash = try SHA256()
        try hash.add(Array(message))
        return try hash.finish()
    }

    /// Returns the first `count` bytes of the hash of `message` in hexadecimal digits.
    package static func hexadecimal(
        _ message: some Sequence<UInt8>, prefix count: Int = size
    ) throws(HashingError) -> String {
        digits(try hash(message).prefix(count))
    }

    /// Returns the hash of all that was added in hexadecimal digits.
    package consuming func finishInHexadecimal() throws(HashingError) -> String { Self.digits(try finish()) }

    private static func digits(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Why a hash could not be computed.
package enum HashingError: Error, Equatable {
    /// libcrypto cannot be loaded, with the loader's words.
    case libraryMissing(String)
    /// libcrypto refused, which it does only without memory.
    case failed
}
