import Glibc

/// The certificate of a server and its key, for TLS.
package struct ServerIdentity: Sendable {
    /// The certificate and those that lead to its issuer, as PEM.
    let chain: String
    /// The key, as PEM.
    let key: String

    /// The largest file that is read, in bytes.
    private static let largest = 256 << 10

    /// Reads both files. Throws when one cannot be read, or does not look like PEM.
    package init(chain: String, key: String) throws(WebServerError) {
        self.chain = try Self.read(chain)
        self.key = try Self.read(key)
    }

    private static func read(_ path: String) throws(WebServerError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unusableCertificate(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count <= largest {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 32 << 10) { buffer, initialized in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unusableCertificate(path: path, reason: String(cString: strerror(errno))) }
            if count == 0 { break }
            bytes += chunk
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.count <= largest, text.contains("-----BEGIN "), !bytes.contains(0) else {
            throw .unusableCertificate(path: path, reason: "it is not in PEM format")
        }
        return text
    }
}
