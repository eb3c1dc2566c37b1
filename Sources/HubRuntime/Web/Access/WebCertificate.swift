import Certificates
import Commands
import HubKit
import Sync
import Threading
import WebServer

/// The certificate of the web app on an address that other machines reach: the one that the config file names, or one that hub
/// makes, whose fingerprint `hub web` shows.
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
        /// The setting with further names of the server.
        var names: ConfigKey<[String]>?

        static let web = Settings(
            section: "hub.web", listen: "hub config set hub.web.listen 192.168.1.20", title: "the web page",
            certificate: HubKeys.webCertificate, key: HubKeys.webKey, names: HubKeys.webNames)
        static let devices = Settings(
            section: "hub.dav", listen: "hub config set hub.dav.listen 192.168.1.20", title: "the server for devices",
            certificate: HubKeys.devicesCertificate, key: HubKeys.devicesKey, names: HubKeys.devicesNames)
    }

    /// The path of the certificate, with those that lead to its issuer.
    let chain: String
    /// The path of the key.
    let key: String
    /// The SHA-256 of the certificate, if hub has made it.
    let fingerprint: CertificateFingerprint?

    /// Finds or makes the certificate for `address`; nil for an address of this machine alone, which needs none.
    init?(_ hub: Hub, for address: SocketAddress, _ settings: Settings = .web) throws {
        let config = try hub.configuration().core
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
        let names = settings.names.map { config[$0] } ?? []
        chain = try OwnCertificates(hub).path(for: [address.host] + names.map { $0.lowercased() })
        key = chain
        fingerprint = Self.fingerprint(chain)
    }

    /// Runs a server until it is cancelled, or until a certificate that hub has made is about to end: then it throws, and the service
    /// that is started again gets another.
    static func run(
        _ certificate: WebCertificate?, _ clock: any Clock, _ serve: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let certificate, certificate.fingerprint != nil else { return try await serve() }
        let isOver = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await serve()
                return false
            }
            group.addTask {
                while try await !BackgroundThread.run({ OwnCertificates.isOver(certificate.chain) }) {
                    try await clock.sleep(for: .seconds(6 * 3600))
                }
                return true
            }
            let first = try await group.next() ?? false
            group.cancelAll()
            while let end = await group.nextResult() { if first { _ = try end.get() } }
            return first
        }
        if isOver {
            throw HubError(.unavailable, code: "certificate-ends", "the certificate ends soon, and is replaced")
        }
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

    private static func fingerprint(_ path: String) -> CertificateFingerprint? {
        guard let reader = try? ChunkedFileReader(path: path, isRegular: true), let bytes = (try? reader.next()) ?? nil
        else { return nil }
        return CertificateText.fingerprint(of: String(decoding: bytes, as: UTF8.self))
            .flatMap(CertificateFingerprint.init(bytes:))
    }
}
