import CCrypto

/// The encryption of messages to browsers (RFC 8291), in the coding `aes128gcm` (RFC 8188).
package enum PushMessage {
    /// The longest text of a message in bytes: push services take bodies of 4096 bytes.
    package static let maximumLength = 3992

    private static let recordSize: [UInt8] = [0, 0, 0x10, 0]

    /// Returns the body of the request that carries `text`. Only the browser that made `subscription` can read it.
    package static func body(_ text: [UInt8], for subscription: PushSubscription) throws(PushFailure) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return try body(padded(text), for: subscription, key: PushKey(), salt: salt)
    }

    /// `text` with the delimiter of the last record. Zeros after it hide the length but for its step.
    static func padded(_ text: [UInt8]) -> [UInt8] {
        let length = [256, 512, 1024, 2048].first { $0 > text.count } ?? maximumLength + 1
        return text + [2] + [UInt8](repeating: 0, count: max(0, length - text.count - 1))
    }

    /// The body with a given key and salt, which must be new for each message.
    static func body(
        _ record: [UInt8], for subscription: PushSubscription, key: PushKey, salt: [UInt8]
    ) throws(PushFailure) -> [UInt8] {
        guard record.count <= maximumLength + 1 else { throw .tooLong }
        let shared = try key.secret(with: subscription.key)
        let keys = try ContentKeys(
            shared: shared, receiver: subscription.key, sender: key.publicKey, secret: subscription.secret, salt: salt)
        return salt + recordSize + [UInt8(key.publicKey.count)] + key.publicKey + (try keys.seal(record))
    }

    /// The key and the nonce of one message (RFC 8291 §3.4).
    struct ContentKeys {
        private let key: [UInt8]
        private let nonce: [UInt8]

        init(
            shared: [UInt8], receiver: [UInt8], sender: [UInt8], secret: [UInt8], salt: [UInt8]
        ) throws(PushFailure) {
            let info = Array("WebPush: info\0".utf8) + receiver + sender
            let input = try derive(32, salt: secret, from: shared, info)
            key = try derive(16, salt: salt, from: input, Array("Content-Encoding: aes128gcm\0".utf8))
            nonce = try derive(12, salt: salt, from: input, Array("Content-Encoding: nonce\0".utf8))
        }

        /// Returns the encrypted bytes and their tag.
        func seal(_ bytes: [UInt8]) throws(PushFailure) -> [UInt8] {
            var sealed = [UInt8](repeating: 0, count: bytes.count + 16)
            guard ccrypto_seal(key, nonce, bytes, bytes.count, &sealed) else { throw .failed }
            return sealed
        }
    }

    /// HKDF with SHA-256 (RFC 5869) for at most 32 bytes.
    private static func derive(
        _ count: Int, salt: [UInt8], from input: [UInt8], _ info: [UInt8]
    ) throws(PushFailure) -> [UInt8] {
        let key = try hmac(salt, input)
        return Array(try hmac(key, info + [1]).prefix(count))
    }

    private static func hmac(_ key: [UInt8], _ bytes: [UInt8]) throws(PushFailure) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        guard ccrypto_hmac(key, key.count, bytes, bytes.count, &result) else { throw .failed }
        return result
    }
}
