import CCrypto

/// A private key on the curve P-256: that of a server, by which push services know it, or one for a single message.
package struct PushKey: Sendable {
    /// The key, as PEM.
    package let pem: String
    /// The public key, 65 bytes (SEC 1 §2.3.3).
    package let publicKey: [UInt8]

    /// Makes a new key.
    package init() throws(PushFailure) {
        try PushFailure.load()
        var text = [CChar](repeating: 0, count: 1024)
        guard ccrypto_make_key(&text, text.count) else { throw .failed }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        try self.init(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// Takes a key that was made before; throws ``PushFailure/notAKey`` for any other text.
    package init(pem: String) throws(PushFailure) {
        try PushFailure.load()
        var point = [UInt8](repeating: 0, count: ccrypto_point_size)
        guard ccrypto_public_point(pem, &point) else { throw .notAKey }
        (self.pem, publicKey) = (pem, point)
    }

    /// Returns whether the bytes are a public key.
    static func isPublic(_ point: [UInt8]) throws(PushFailure) -> Bool {
        try PushFailure.load()
        return point.count == ccrypto_point_size && ccrypto_is_point(point)
    }

    /// Returns the secret that this key and the public key of another share (ECDH).
    func secret(with other: [UInt8]) throws(PushFailure) -> [UInt8] {
        var secret = [UInt8](repeating: 0, count: ccrypto_secret_size)
        guard other.count == ccrypto_point_size, ccrypto_share(pem, other, &secret) else {
            throw .notAKey
        }
        return secret
    }

    /// Returns the signature ES256 of a text (RFC 7518 §3.4).
    func signature(of text: String) throws(PushFailure) -> [UInt8] {
        let bytes = Array(text.utf8)
        var signature = [UInt8](repeating: 0, count: ccrypto_signature_size)
        guard ccrypto_sign(pem, bytes, bytes.count, &signature) else { throw .failed }
        return signature
    }
}

/// Why a message cannot be encrypted or signed.
package enum PushFailure: Error, Equatable {
    /// libcrypto cannot be loaded, with the loader's words.
    case libraryMissing(String)
    /// The bytes are not a key on the curve P-256.
    case notAKey
    /// The message is longer than a push service takes.
    case tooLong
    /// libcrypto refused, which it does only without memory.
    case failed

    static func load() throws(PushFailure) {
        if let reason = ccrypto_load_push() { throw .libraryMissing(String(cString: reason)) }
    }
}
