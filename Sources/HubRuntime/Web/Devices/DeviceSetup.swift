import Commands
import DAVServer
import HTTPClient
import HubKit
import Storage
import WebServer

/// Adds devices and tells how they reach this hub, for the commands and the page alike.
struct DeviceSetup {
    /// The time in which a line or profile can be used, in minutes.
    static let time: Int64 = 10

    /// The address at which devices are served.
    let address: SocketAddress
    /// The certificate; nil where nothing is encrypted.
    let certificate: WebCertificate?
    /// The names of the server in the settings.
    let names: [String]
    private let hub: Hub

    /// Throws `config` when devices are not served.
    init(_ hub: Hub) throws {
        guard let address = try DeviceListener.configured(hub) else { throw Self.off }
        self.hub = hub
        self.address = address
        certificate = try WebCertificate(hub, for: address, .devices)
        names = try hub.configuration().core[HubKeys.devicesNames]
    }

    /// The failure of a hub that does not serve devices.
    static let off = HubError(
        .config, code: "devices-off", "hub does not serve devices yet",
        hint: "hub config set hub.dav.listen 192.168.1.20:4843, with this machine's address in your network")

    /// The host and port that devices are told.
    var server: String { "\(names.first ?? address.hostInURL):\(address.port)" }
    /// The whole address.
    var url: String { "\(certificate == nil ? "http" : "https")://\(server)/" }

    /// Whether no other machine reaches the address, and no proxy is named.
    var isAlone: Bool { address.isLoopback && names.isEmpty }

    /// The address that DAVx5 takes from a code, with the password; nil without encryption, which it wants.
    func link(for name: String, password: String) -> String? {
        certificate == nil ? nil : "davx5://\(name):\(password)@\(server)/"
    }

    /// Adds a device and returns its password, which is not kept.
    func add(
        _ name: String, scopes: [DAVCollection.Home], isReadOnly: Bool, seesEachBook: Bool = false
    ) async throws -> String {
        try Self.require(name)
        return try await DeviceStore(hub.database()).add(
            name, scopes: scopes, isReadOnly: isReadOnly, seesEachBook: seesEachBook)
    }

    /// Adds a device that is another hub, and returns the line by which it joins.
    func addHub(_ name: String) async throws -> String {
        try Self.require(name)
        guard let url = HTTPURL(url) else { throw Self.off }
        let end = hub.clock.now + .seconds(60 * Self.time)
        let code = try await DeviceStore(hub.database()).addHub(name, endingAt: end)
        return JoinLine(url: url, name: name, code: code, fingerprint: certificate?.fingerprint).text
    }

    /// Throws unless a text can be the name of a device, which is also its user name and that of its log.
    static func require(_ name: String) throws {
        guard !isName(name) else { return }
        throw HubError(
            .usage, code: "bad-name", "invalid name \"\(TerminalSanitizer.line(name))\"",
            hint: "use 1 to 32 small letters, digits, - and ., such as phone")
    }

    /// Whether a text can be the name of a device.
    static func isName(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "-.".utf8.contains($0) }
    }
}

extension SocketAddress {
    /// The host as it stands in a URL.
    fileprivate var hostInURL: String { isIPv6 ? "[\(host)]" : host }
}
