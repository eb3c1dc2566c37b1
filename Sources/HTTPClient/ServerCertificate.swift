import Hashing
import Synchronization
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

/// A server that is trusted by its certificate alone, such as a self-signed one, in place of authority, name and date.
///
/// A handshake without a request fetches the certificate, which must have the known SHA-256. From then on libcurl
/// accepts only its public key (`CURLOPT_PINNEDPUBLICKEY`) and checks it in the handshake of every connection. So a
/// request is only sent over a connection whose server has proved that it holds the private key of the trusted
/// certificate.
package final class PinnedServer: Sendable {
    /// The SHA-256 of the certificate.
    package let sha256: [UInt8]
    private let configuration: HTTPConfiguration
    private let pinned = Mutex<HTTPClient?>(nil)

    /// `configuration` is for all else but the trust.
    package init(sha256: [UInt8], configuration: HTTPConfiguration) {
        self.sha256 = sha256
        self.configuration = configuration
    }

    /// The client that talks to this server only. The first call looks at the certificate of the server at `url`, and
    /// throws ``HTTPError/tlsRefused(_:)`` when it is another one.
    package func client(at url: HTTPURL, deadlines: HTTPDeadlines) async throws(HTTPError) -> HTTPClient {
        if let client = pinned.withLock(\.self) { return client }
        let probe = HTTPClient(configuration)
        let certificate = try await probe.certificate(at: url, deadlines: deadlines)
        guard certificate.sha256 == sha256, let pin = certificate.publicKeyPin else {
            throw .tlsRefused(TLSRefusal(.changed, at: url, reason: "the fingerprint differs"))
        }
        var configuration = configuration
        configuration.trust = .publicKey(pin)
        return pinned.withLock { pinned in
            let client = pinned ?? HTTPClient(configuration)
            pinned = client
            return client
        }
    }
}
