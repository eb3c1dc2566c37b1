import Commands
import DAVServer
import HubKit
import Storage
import WebServer

/// A configuration profile of Apple: an iPhone, iPad or Mac takes from it the authority that it shall trust, and the accounts.
struct AppleProfile: Sendable {
    /// The host by which devices reach the server.
    let host: String
    /// The port.
    let port: UInt16
    /// The certificate of the authority as PEM; nil if the server has a certificate that devices trust anyway.
    let authority: String?

    /// The media type that makes a device offer to install it.
    static let mediaType = "application/x-apple-aspen-config"

    /// Returns the profile for a device with a password of its own.
    func content(for device: RegisteredDevice, password: String) throws -> [UInt8] {
        var payloads: [Dictionary] = []
        if let authority {
            payloads.append(
                try payload(
                    "com.apple.security.root", "root", "Certificate authority of hub", device.name,
                    [("PayloadContent", .data(Self.base64(authority)))]))
        }
        let accounts: [(home: DAVCollection.Home, type: String, prefix: String, title: String)] = [
            (.contacts, "com.apple.carddav.account", "CardDAV", "Contacts of hub"),
            (.tasks, "com.apple.caldav.account", "CalDAV", "Tasks of hub"),
        ]
        for account in accounts where device.scopes.contains(account.home.rawValue) {
            let values: [(String, Value)] = [
                ("AccountDescription", .text("hub")), ("HostName", .text(host)), ("Port", .number(Int(port))),
                ("Username", .text(device.name)), ("Password", .text(password)), ("UseSSL", .yes),
                ("PrincipalURL", .text("/principals/me/")),
            ]
            payloads.append(
                try payload(
                    account.type, account.home.rawValue, account.title, device.name,
                    values.map { (account.prefix + $0, $1) }
                ))
        }
        let profile = try payload(
            "Configuration", "profile", "hub", device.name,
            [
                ("PayloadDescription", .text("Contacts and tasks of hub at \(host)")),
                ("PayloadContent", .list(payloads)),
                ("PayloadRemovalDisallowed", .no),
            ])
        return Self.document(profile)
    }

    /// Returns the profile with the authority alone, for the web page; nil if there is none.
    func authorityContent() throws -> [UInt8]? {
        guard let authority else { return nil }
        let owner = "web"
        let root = try payload(
            "com.apple.security.root", "root", "Certificate authority of hub", owner,
            [("PayloadContent", .data(Self.base64(authority)))])
        let profile = try payload(
            "Configuration", "profile", "hub", owner,
            [
                ("PayloadDescription", .text("Lets this device trust the web page of hub at \(host)")),
                ("PayloadContent", .list([root])), ("PayloadRemovalDisallowed", .no),
            ])
        return Self.document(profile)
    }

    private static func document(_ profile: Dictionary) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">\(Value.dictionary(profile).xml)</plist>

            """.utf8)
    }

    /// A part of the profile, with what each part has. A device that gets the profile again replaces the parts.
    private func payload(
        _ type: String, _ part: String, _ title: String, _ owner: String, _ values: Dictionary
    ) throws -> Dictionary {
        let identifier = "hub.\(owner).\(part)"
        return [
            ("PayloadType", .text(type)), ("PayloadVersion", .number(1)), ("PayloadIdentifier", .text(identifier)),
            ("PayloadUUID", .text(try uuid(identifier))), ("PayloadDisplayName", .text(title)),
        ] + values
    }

    /// The same UUID for the same part of the same server (RFC 9562 §5.8).
    private func uuid(_ identifier: String) throws -> String {
        var bytes = Array(try WebSecret.hash("\(host) \(identifier)").prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// The lines between the first and the last of a certificate.
    static func base64(_ certificate: String) -> String {
        certificate.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    }

    private typealias Dictionary = [(String, Value)]

    /// A value of a property list.
    private indirect enum Value {
        case text(String), number(Int), data(String), yes, no
        case list([Dictionary])
        case dictionary(Dictionary)

        var xml: String {
            switch self {
            case .text(let text): "<string>\(HTML.escape(text))</string>"
            case .number(let number): "<integer>\(number)</integer>"
            case .data(let base64): "<data>\(base64)</data>"
            case .yes: "<true/>"
            case .no: "<false/>"
            case .list(let items): "<array>\(items.map { Value.dictionary($0).xml }.joined())</array>"
            case .dictionary(let pairs):
                "<dict>\(pairs.map { "<key>\($0)</key>\($1.xml)" }.joined())</dict>"
            }
        }
    }
}

extension AppleProfile {
    /// The profile of the server that listens on `address`; nil if devices of Apple cannot use it, as it is not encrypted.
    init?(_ hub: Hub, at address: SocketAddress, _ certificate: WebCertificate?) throws {
        let name = try hub.configuration().core[HubKeys.devicesNames].first
        if let certificate {
            let own = certificate.fingerprint == nil ? nil : OwnCertificates(hub).authority
            self.init(host: name ?? address.host, port: address.port, authority: own)
        } else if let name {
            // A proxy before this address, which encrypts.
            self.init(host: name, port: 443, authority: nil)
        } else {
            return nil
        }
    }
}
