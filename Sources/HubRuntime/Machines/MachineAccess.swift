import Glibc
import HTTPClient
import HubKit
import Storage
import Sync
import WebSocket

/// How this hub reaches a home: a file beside the store, since a backup or a copy of the database alone must not speak for this machine.
struct MachineAccess: Sendable {
    /// The address, such as `https://desk.local:4843/`.
    var url: HTTPURL
    /// The name of this machine's device there.
    var user: String
    var password: String
    /// The certificate of the authority of the home, as PEM; nil for one that the system trusts, or for an address of this machine.
    var authority: String?

    private static func folder(_ hub: Hub) -> String { hub.directories.data + "/machines" }

    /// Reads the file of a machine; nil if there is none.
    static func read(_ machine: String, _ hub: Hub) -> MachineAccess? {
        guard let bytes = try? BoundedFile.read("\(folder(hub))/\(machine).json", limit: 64 << 10),
            let json = try? JSONReader.read(bytes), let url = json["url"]?.string.flatMap({ HTTPURL($0) }),
            let user = json["user"]?.string, let password = json["password"]?.string
        else { return nil }
        return MachineAccess(url: url, user: user, password: password, authority: json["authority"]?.string)
    }

    /// Writes the file, which only its owner can read.
    func write(_ machine: String, _ hub: Hub) throws {
        try Directory.make(Self.folder(hub))
        var members = [("url", url.description), ("user", user), ("password", password)]
        if let authority {
            members.append(("authority", authority))
            let file = try AtomicFile(path: Self.authorityPath(machine, hub), newFileMode: 0o600)
            try file.write(Array(authority.utf8))
            try file.commit()
        }
        let file = try AtomicFile(path: "\(Self.folder(hub))/\(machine).json", newFileMode: 0o600)
        try file.write(MachineMessage.object(members))
        try file.commit()
    }

    /// Removes the file.
    static func remove(_ machine: String, _ hub: Hub) {
        unlink("\(folder(hub))/\(machine).json")
        unlink(authorityPath(machine, hub))
    }

    private static func authorityPath(_ machine: String, _ hub: Hub) -> String { "\(folder(hub))/\(machine).crt" }

    /// The connection.
    func link(_ machine: String, _ hub: Hub) -> HTTPMachineLink {
        var configuration = HTTPConfiguration(userAgent: "hub", proxy: .none)
        if authority != nil { configuration.trust = .authorities(file: Self.authorityPath(machine, hub)) }
        return HTTPMachineLink(
            client: HTTPClient(configuration), url: url, credentials: HTTPCredentials(user: user, password: password))
    }
}

/// A connection to a home by HTTP.
struct HTTPMachineLink: MachineLink {
    let client: HTTPClient
    let url: HTTPURL
    let credentials: HTTPCredentials?

    func ask(_ path: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        var target = url
        target.path = MachineHome.path + path
        let request = HTTPRequest(
            .post, target, headers: ["Content-Type": "application/json"], body: body, credentials: credentials,
            deadlines: HTTPDeadlines(connect: .seconds(10), idle: .seconds(120)), maximumBody: MachineMessage.limit)
        do throws(HTTPError) {
            let response = try await client.send(request)
            return (response.status, response.body)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw HubError(
                .unavailable, code: "machine-unreachable", "\(url.host):\(url.port) cannot be reached",
                details: [error.description], hint: Self.hint(error))
        }
    }

    /// What to look at when a machine is not reached.
    static func hint(_ error: HTTPError?) -> String {
        if case .tlsRefused(let refusal)? = error, [.expired, .notYetValid].contains(refusal.problem) {
            return "see that the date and the time of both machines are right"
        }
        return "see that hub serve runs there, and that both are in one network"
    }
}

extension HTTPMachineLink {
    func open(_ path: String) async throws -> any MachineChannel {
        var target = url
        target.path = MachineHome.path + path
        var request = HTTPRequest(.get, target, deadlines: HTTPDeadlines(connect: .seconds(10), idle: .seconds(120)))
        if let credentials {
            let pair = "\(credentials.user):\(credentials.password)"
            request.headers["Authorization"] = "Basic \(Base64.encode(Array(pair.utf8)))"
        }
        do throws(WebSocketOpeningError) {
            return HTTPMachineChannel(
                socket: try await client.openWebSocket(
                    request, subprotocols: [MachineHome.subprotocol],
                    limits: WebSocketConnection.Limits(messageSize: MachineMessage.limit)))
        } catch {
            let reason: String
            var cause: HTTPError?
            switch error {
            case .refused(.status(404)), .refused(.status(405)):
                throw HubError(
                    .unavailable, code: "older-hub",
                    "\(url.host) has an older version of hub, or the plugin is off there",
                    hint: "install the same version on both machines")
            case .refused(.status(401)), .refused(.status(403)): reason = "it does not know this machine any more"
            case .refused: reason = "it does not open a WebSocket"
            case .http(let error): (reason, cause) = (error.description, error)
            }
            throw HubError(
                .unavailable, code: "machine-unreachable", "\(url.host):\(url.port) cannot be reached",
                details: [reason], hint: Self.hint(cause))
        }
    }
}

/// A connection to a home that is a WebSocket.
struct HTTPMachineChannel: MachineChannel {
    let socket: ClientWebSocket

    func receive() async -> MachineChannelEvent {
        switch await socket.receive() {
        case .message(.text(let text)): .text(text)
        case .message(.binary), .pong: .other
        case .closed(let code, let reason):
            .closed("the connection was closed (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)"))")
        }
    }

    func send(_ text: String) { socket.send(.text(text)) }

    func ping() { socket.ping() }

    func close(_ code: UInt16, reason: String) { socket.close(WebSocketCloseCode(code), reason: reason) }
}

/// The line by which a hub joins another: `https://desk.local:4843/#join=laptop.CODE.FINGERPRINT`.
struct JoinLine: Sendable {
    let url: HTTPURL
    /// The name that this machine gets at the home.
    let name: String
    let code: String
    /// The SHA-256 of the home's certificate; nil for one that the system trusts, or for an address of one machine.
    let fingerprint: CertificateFingerprint?

    /// Reads a line; nil if it is none.
    init?(_ text: String) {
        guard let mark = text.firstRange(of: "#join="), let url = HTTPURL(text[..<mark.lowerBound]) else { return nil }
        let parts = text[mark.upperBound...].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, !parts[0].isEmpty, parts[1].utf8.count >= 16 else { return nil }
        let fingerprint = parts.count > 2 ? CertificateFingerprint(parts[2]) : nil
        guard parts.count == 2 || fingerprint != nil, parts.count <= 3 else { return nil }
        // Without encryption anyone in between would read everything.
        let isLoopback = url.host.hasPrefix("127.") && url.host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E }
        let isLocal = isLoopback || ["[::1]", "localhost"].contains(url.host)
        guard url.scheme == .https || isLocal else { return nil }
        (self.url, name, code, self.fingerprint) = (url, parts[0], parts[1], fingerprint)
    }

    init(url: HTTPURL, name: String, code: String, fingerprint: CertificateFingerprint?) {
        (self.url, self.name, self.code, self.fingerprint) = (url, name, code, fingerprint)
    }

    /// The line as text.
    var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let pin = fingerprint.map { fingerprint in
            "."
                + String(
                    decoding: fingerprint.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
        return "\(url)#join=\(name).\(code)\(pin ?? "")"
    }
}
