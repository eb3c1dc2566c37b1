import JSON

/// The voluntary identification of a server to push services (VAPID, RFC 8292).
package enum ServerIdentification {
    /// The validity of a token in seconds; push services accept at most a day.
    static let life: Int64 = 12 * 3600

    /// Returns the value of the header field `Authorization` for the push service at `origin`, such as
    /// `https://push.example.org`.
    ///
    /// - Parameters:
    ///   - contact: a `mailto:` or `https:` URL of the operator; the service of Apple refuses one that it cannot resolve.
    ///   - now: seconds since 1970.
    package static func authorization(
        origin: String, contact: String, now: Int64, key: PushKey
    ) throws(PushFailure) -> String {
        var claims = JSONWriter()
        claims.object { json in
            json.name("aud")
            json.value(origin)
            json.name("exp")
            json.value(Int(now + life))
            json.name("sub")
            json.value(contact)
        }
        let head = Base64URL.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        let text = head + "." + Base64URL.encode(claims.bytes)
        let signature = Base64URL.encode(try key.signature(of: text))
        return "vapid t=\(text).\(signature), k=\(Base64URL.encode(key.publicKey))"
    }
}
