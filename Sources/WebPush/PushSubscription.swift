import Text

/// The subscription of a browser, as its page gets it from the Push API: where messages for it go, and the keys for them.
package struct PushSubscription: Hashable, Sendable {
    /// The address at the push service of the browser. It is a secret: those who know it can send.
    package let endpoint: String
    /// The public key of the browser (`p256dh`), 65 bytes.
    package let key: [UInt8]
    /// The authentication secret of the browser (`auth`), 16 bytes.
    package let secret: [UInt8]

    /// Throws ``PushFailure/notAKey`` when `key` is not a point of the curve, or `secret` has another length.
    package init(endpoint: String, key: [UInt8], secret: [UInt8]) throws(PushFailure) {
        guard try PushKey.isPublic(key), secret.count == 16 else { throw .notAKey }
        (self.endpoint, self.key, self.secret) = (endpoint, key, secret)
    }
}

/// Base64 with letters for addresses and without padding (RFC 4648 §5).
package enum Base64URL {
    /// Returns the text of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of `text`; nil when it is not in this form.
    package static func decode(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(where: { "+/= \n\r\t".utf8.contains($0) }) else { return nil }
        return Base64.decode(
            text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            })
    }
}
