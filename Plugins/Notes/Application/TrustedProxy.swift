import HubKit
import NotesDomain
import Storage
import Synchronization
import System

/// A proxy in front of the notes server that logs people in, and says in a header who they are.
///
/// It is believed only when it comes from one of its addresses and sends the shared secret; what anyone else sends in this header is not looked at.
package struct TrustedProxy: Sendable {
    /// The field in which it sends the secret, in lower case.
    package static let secretField = "x-hub-proxy-secret"
    private static let secretSizes = 16...1024

    private let header: String
    private let secretFile: String?
    private let addresses: Set<String>

    init(header: String, secretFile: String?, addresses: [String]) {
        (self.header, self.secretFile, self.addresses) = (header.lowercased(), secretFile, Set(addresses))
    }

    /// Reads the secret.
    func secret() throws(HubError) -> [UInt8] {
        guard let secretFile else {
            throw HubError(
                .config, code: "proxy-secret", "plugins.notes.server.proxy.header is set without a secret",
                hint: "hub config set plugins.notes.server.proxy.secret_file FILE")
        }
        var secret: [UInt8]
        do {
            secret = try BoundedFile.read(secretFile, limit: Self.secretSizes.upperBound + 2, followsLinks: true)
        } catch {
            throw HubError(.config, code: "proxy-secret", "cannot read \(secretFile)", cause: error)
        }
        while let last = secret.last, last == 0x0A || last == 0x0D { secret.removeLast() }
        guard Self.secretSizes.contains(secret.count) else {
            throw HubError(
                .config, code: "proxy-secret",
                "the secret in \(secretFile) must have \(Self.secretSizes.lowerBound) to \(Self.secretSizes.upperBound) bytes",
                hint: "openssl rand -hex 32")
        }
        return secret
    }

    /// Returns the account that the proxy names in a request with these header fields, which came from an address; nil for none, and for anyone
    /// who is not the proxy.
    func account(in headers: [String: String], from peer: String) throws(HubError) -> String? {
        guard addresses.contains(peer), let name = headers[header], let sent = headers[Self.secretField] else {
            return nil
        }
        guard Self.areEqual(Array(sent.utf8), try secret()) else { return nil }
        // Two proxies in a row, or a client that sends the header as well, give two values.
        guard !name.isEmpty, name.utf8.count <= NoteLimits.name, !name.contains(","),
            TerminalSanitizer.line(name) == name
        else {
            throw HubError(.invalid, code: "proxy-account", "the proxy names no single account")
        }
        return name
    }

    /// Whether both are equal, in a time that does not say where they differ.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
