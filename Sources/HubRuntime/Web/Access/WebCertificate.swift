import Certificates
import Commands
import HubKit
import Sync
import WebServer

/// The certificate of the web app on an address that other machines reach: the one that the config file names, or one that hub
/// makes for itself, whose fingerprint `hub web` shows.
struct WebCertificate: Sendable {
    /// The settings that name a certificate.
    struct Settings: Sendable {
        /// The section: `hub.web`.
        let section: String
        /// The command that sets an address for other machines, without its port.
        let listen: String
        /// What is served, in words.
        let title: String
        let certificate: ConfigKey<String?>
        let key: ConfigKey<String?>

        static let web = Settings(
            section: "hub.web", listen: "hub config set hub.web.listen 192.168.1.20", title: "the web page",
            certificate: HubKeys.webCertificate, key: HubKeys.webKey)
        static let devices = Settings(
            section: "hub.dav", listen: "hub config set hub.dav.listen 192.168.1.20", title: "the server for devices",
            certificate: HubKeys.devicesCertificate, key: HubKeys.devicesKey)
    }

    /// The validity of a certificate that hub makes, in days.
    private static let life = 3650

    /// The path of the certificate, with those that lead to its issuer.
    let chain: String
    /// The path of the key.
    let key: String
    /// The SHA-256 of the certificate, if hub has made it.
    let fingerprint: CertificateFingerprint?

    /// Finds or makes the certificate for `address`; nil for an address of this machine alone, which needs none.
    init?(_ hub: Hub, for address: SocketAddress, _ settings: Settings = .web) throws {
        let config = try hub.configuration().core
        let section = settings.section
        switch (config[settings.certificate], config[settings.key]) {
        case (let chain?, let key?):
            (self.chain, self.key, fingerprint) = (chain, key, nil)
            return
        case (nil, nil): break
        case (_?, nil): throw Self.half(without: "key", settings)
        case (nil, _?): throw Self.half(without: "certificate", settings)
        }
        guard !address.isLoopback else { return nil }
        guard !address.isAny else {
            throw HubError(
                .config, code: "listen-everywhere", "\(address) means every address of this machine",
                hint: "set the one that your other devices use: \(settings.listen):\(address.port)")
        }
        let folder = hub.directories.data + "/web"
        let name = address.host.replacing(":", with: "-")
        chain = "\(folder)/\(name).pem"
        key = "\(folder)/\(name).key"
        if let known = Self.fingerprint(chain) {
            fingerprint = known
            return
        }
        do throws(SelfSignedCertificate.Failure) {
            let made = try SelfSignedCertificate(address: address.host, days: Self.life)
            try Self.write(made, to: folder, as: name)
        } catch {
            throw HubError(
                .unavailable, code: "no-certificate", "cannot create a certificate for \(address.host)",
                hint: "set \(section).certificate and \(section).key", cause: error)
        }
        fingerprint = Self.fingerprint(chain)
    }

    /// The error for a certificate without its key, or a key without its certificate.
    private static func half(without part: String, _ settings: Settings) -> HubError {
        let setting = "\(settings.section).\(part)"
        return HubError(
            .config, code: "bad-certificate", "\(settings.title) has no \(setting)",
            details: ["A certificate and its key must be set together."], hint: "hub config set \(setting) FILE")
    }

    /// What the server needs.
    var identity: ServerIdentity {
        get throws {
            do {
                return try ServerIdentity(chain: chain, key: key)
            } catch {
                throw HubError(listening: error)
            }
        }
    }

    private static func write(
        _ made: SelfSignedCertificate, to folder: String, as name: String
    ) throws(SelfSignedCertificate.Failure) {
        do {
            try Directory.make(folder)
            // The key first: a certificate is only found together with it.
            for (end, text) in [(".key", made.key), (".pem", made.chain)] {
                let file = try AtomicFile(path: "\(folder)/\(name)\(end)", newFileMode: 0o600)
                try file.write(Array(text.utf8))
                try file.commit()
            }
        } catch {
            throw .refused
        }
    }

    private static func fingerprint(_ path: String) -> CertificateFingerprint? {
        guard let reader = try? ChunkedFileReader(path: path, isRegular: true), let bytes = (try? reader.next()) ?? nil
        else { return nil }
        return SelfSignedCertificate.fingerprint(of: String(decoding: bytes, as: UTF8.self))
            .flatMap(CertificateFingerprint.init(bytes:))
    }
}
