import Hashing
import Text

/// The certificate that a server shows in a TLS handshake (RFC 5280).
package struct ServerCertificate: Hashable, Sendable {
    /// The certificate's encoded form (DER).
    package let bytes: [UInt8]

    /// Reads the first certificate of `text` in PEM (RFC 7468); nil when there is none.
    init?(pem text: some StringProtocol) {
        guard let start = text.firstRange(of: "-----BEGIN CERTIFICATE-----")?.upperBound,
            let end = text[start...].firstRange(of: "-----END CERTIFICATE-----")?.lowerBound,
            let bytes = Base64.decode(text[start..<end].utf8), !bytes.isEmpty
        else { return nil }
        self.bytes = bytes
    }

    /// The SHA-256 of the certificate, by which people compare certificates; nil without libcrypto.
    package var sha256: [UInt8]? { try? SHA256.hash(bytes) }

    /// The public key in the form that libcurl pins: the SHA-256 of its SubjectPublicKeyInfo. Nil when the certificate
    /// cannot be read.
    var publicKeyPin: String? {
        guard let certificate = DER(bytes, 0), certificate.tag == 0x30,
            let body = DER(bytes, certificate.content.lowerBound), body.tag == 0x30
        else { return nil }
        var index = body.content.lowerBound
        // The version is left out of the oldest certificates. Serial number, algorithm, issuer, validity and subject follow.
        if let version = DER(bytes, index), version.tag == 0xA0 { index = version.content.upperBound }
        for tag in [0x02, 0x30, 0x30, 0x30, 0x30] as [UInt8] {
            guard let field = DER(bytes, index), field.tag == tag else { return nil }
            index = field.content.upperBound
        }
        guard let key = DER(bytes, index), key.tag == 0x30, key.content.upperBound <= body.content.upperBound else {
            return nil
        }
        guard let hash = try? SHA256.hash(bytes[index..<key.content.upperBound]) else { return nil }
        return "sha256//" + Base64.encode(hash)
    }
}

/// One element of DER (X.690 §8.1): its tag and where its content is.
private struct DER {
    let tag: UInt8
    let content: Range<Int>

    /// The element that begins at `index`; nil when it does not fit into `bytes`.
    init?(_ bytes: [UInt8], _ index: Int) {
        guard index >= 0, index + 1 < bytes.count else { return nil }
        tag = bytes[index]
        var (start, length) = (index + 2, Int(bytes[index + 1]))
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...4).contains(count), start + count <= bytes.count else { return nil }
            length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
            start += count
        }
        guard length <= bytes.count - start else { return nil }
        content = start..<start + length
    }
}
