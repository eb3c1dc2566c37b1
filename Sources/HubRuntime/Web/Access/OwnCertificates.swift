import Certificates
import Glibc
import HubKit
import Sync
import System

/// The certificates that hub makes: an authority, which a device trusts once, and one for each address that is served.
///
/// Each is a file below `web` in the data folder, with its key. They are in no backup.
struct OwnCertificates {
    /// An authority that is kept.
    private struct Kept {
        let authority: CertificateAuthority
        /// The hosts that it was made for.
        let hosts: [String]
    }

    /// The validity of the authority, in days.
    private static let authorityLife = 3650
    /// The validity of a server's certificate: devices of Apple take none that lasts longer than 825 days.
    private static let life = 820
    /// A certificate is replaced when it has no more days than this.
    private static let rest = 60

    private let folder: String

    init(_ hub: Hub) { folder = hub.directories.data + "/web" }

    /// The certificate of the authority as PEM, for devices to trust; nil when there is none yet.
    var authority: String? { kept?.authority.certificate }
    /// Returns the SHA-256 of a certificate in PEM, as people compare it; nil when it is none.
    static func fingerprint(of certificate: String) -> String? {
        CertificateText.fingerprint(of: certificate).flatMap(CertificateFingerprint.init(bytes:)).map { "\($0)" }
    }
    /// The file with it.
    var authorityPath: String { folder + "/hub-authority.crt" }

    /// Finds or makes the certificate of the server that is reached by `hosts`, of which the first must be in it, and returns its
    /// path, where its key is too.
    func path(for hosts: [String]) throws -> String {
        let kept = try self.kept ?? make(for: hosts + Self.ownNames)
        let known = Set(kept.hosts)
        for host in hosts where !PrivateHost.isOne(host) && !known.contains(host) {
            throw HubError(
                .config, code: "other-authority", "the certificate authority of this hub was not made for \(host)",
                details: ["Devices trust it for \(kept.hosts.joined(separator: ", ")) and for private networks alone."],
                hint:
                    "remove \(folder)/authority.pem to have a new one, which devices must trust, or name a certificate"
            )
        }
        // The name of this machine may have changed since.
        let names =
            hosts + Self.ownNames.filter { !hosts.contains($0) && (known.contains($0) || PrivateHost.isOne($0)) }
        let tag = try WebSecret.hash(names.joined(separator: " ")).prefix(6).map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }
        .joined()
        let path = "\(folder)/server-\(tag).pem"
        if let text = Self.read(path), let left = CertificateText.daysLeft(of: text), left > Self.rest,
            text.hasSuffix(kept.authority.certificate)
        {
            return path
        }
        let made = try Self.issuing { () throws(CertificateFailure) in
            try kept.authority.issue(title: hosts[0], for: names, days: Self.life)
        }
        try write(made.key + made.chain, to: path, mode: 0o600)
        return path
    }

    /// Whether the certificate at `path` ends so soon that the next call makes another.
    static func isOver(_ path: String) -> Bool {
        read(path).flatMap { CertificateText.daysLeft(of: $0) }.map { $0 <= rest } ?? true
    }

    private var kept: Kept? {
        guard let text = Self.read(folder + "/authority.pem"), let end = text.firstIndex(of: "\n"),
            let start = text.firstRange(of: "-----BEGIN CERTIFICATE-----")
        else { return nil }
        let hosts = text[..<end].split(separator: " ").dropFirst().map(String.init)
        let key = String(text[text.index(after: end)..<start.lowerBound])
        return Kept(
            authority: CertificateAuthority(certificate: String(text[start.lowerBound...]), key: key), hosts: hosts)
    }

    /// Makes the authority, unless another process does at the same time.
    private func make(for hosts: [String]) throws -> Kept {
        try Directory.make(folder)
        let title = "hub of \(Self.ownNames.first ?? "this machine")"
        let authority = try Self.issuing { () throws(CertificateFailure) in
            try CertificateAuthority(title: title, hosts: hosts, days: Self.authorityLife)
        }
        let draft = "\(folder)/authority.\(Identifier.make())"
        try write(
            "hosts \(hosts.joined(separator: " "))\n\(authority.key)\(authority.certificate)", to: draft, mode: 0o600)
        defer { unlink(draft) }
        guard link(draft, folder + "/authority.pem") == 0 || errno == EEXIST, let kept else {
            throw Self.failure(SystemError("link \(folder)/authority.pem"))
        }
        try write(kept.authority.certificate, to: authorityPath, mode: 0o644)
        return kept
    }

    /// The names of this machine, which other machines know by mDNS, or from their router.
    static var ownNames: [String] {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        let first = name.prefix { $0 != "." }
        let isName =
            !first.isEmpty && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "-.".utf8.contains($0) }
        guard isName, first.utf8.contains(where: { 0x61...0x7A ~= $0 }) else { return [] }
        return name == first ? [name, name + ".local"] : [name, "\(first).local"]
    }

    private func write(_ text: String, to path: String, mode: UInt32) throws {
        let file = try AtomicFile(path: path, newFileMode: mode)
        try file.write(Array(text.utf8))
        try file.commit()
    }

    private static func read(_ path: String) -> String? {
        guard let reader = try? ChunkedFileReader(path: path, isRegular: true), let bytes = (try? reader.next()) ?? nil
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func issuing<T>(_ body: () throws(CertificateFailure) -> T) throws -> T {
        do throws(CertificateFailure) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ cause: any Error) -> HubError {
        HubError(
            .unavailable, code: "no-certificate", "cannot create a certificate",
            hint: "name one in the setting certificate, and its key in the setting key", cause: cause)
    }
}

/// The hosts that every authority of hub may name: addresses of private networks, and names of a network at home.
enum PrivateHost {
    static func isOne(_ host: String) -> Bool {
        if host.hasSuffix(".local") || host.hasSuffix(".home.arpa") { return true }
        if let bytes = IPAddress.bytes(host, AF_INET) {
            return switch (bytes[0], bytes[1]) {
            case (10, _), (172, 16...31), (192, 168), (100, 64...127): true
            default: false
            }
        }
        guard let bytes = IPAddress.bytes(host, AF_INET6) else { return false }
        return bytes[0] == 0xFD || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    private enum IPAddress {
        static func bytes(_ text: String, _ family: Int32) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 16)
            return inet_pton(family, text, &bytes) == 1 ? bytes : nil
        }
    }
}
