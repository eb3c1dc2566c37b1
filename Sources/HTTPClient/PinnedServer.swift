import Synchronization

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
