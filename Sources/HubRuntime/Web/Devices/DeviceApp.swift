import Commands
import DAVServer
import HubKit
import Storage
import Sync
import Synchronization
import WebServer

/// Answers the requests of devices: it knows who sends them, refuses those of web pages, and hands the others to the engine.
final class DeviceApp: Sendable {
    private let collections: [DAVCollection]
    private let books: (any ServedBooks)?
    private let folders: [DAVFolder]
    private let locks = DeviceLocks()
    private let store: DeviceStore
    private let clock: any Clock
    private let log: Log
    private let requests: DeviceLog
    private let names: Set<String>
    private let isEncrypted: Bool
    private let credentials: KnownCredentials?
    private let profile: AppleProfile?
    private let machines: MachineGate?
    private let failures = LoginFailures()
    private let bursts = DeviceBursts()

    init(
        _ collections: [DAVCollection], books: (any ServedBooks)? = nil, folders: [DAVFolder] = [], store: DeviceStore,
        names: Set<String>,
        isEncrypted: Bool = false, credentials: KnownCredentials? = nil, profile: AppleProfile? = nil,
        machines: MachineGate? = nil,
        clock: any Clock, requests: DeviceLog, log: Log
    ) {
        self.collections = collections
        self.books = books
        self.folders = folders
        self.store = store
        self.names = names
        self.isEncrypted = isEncrypted
        self.credentials = credentials
        self.profile = profile
        self.machines = machines
        self.clock = clock
        self.requests = requests
        self.log = log
    }

    /// The values of `Host` by which the server at `address` is called.
    static func hosts(of address: SocketAddress, names: [String], isEncrypted: Bool) -> Set<String> {
        let own = [address.isIPv6 ? "[\(address.host)]" : address.host]
        let local = address.isLoopback ? ["localhost", "127.0.0.1", "[::1]"] : []
        // A name is also that of a proxy, which listens where it likes.
        let usual: UInt16 = isEncrypted ? 443 : 80
        return Set(
            (own + local).flatMap { address.port == usual ? [$0, "\($0):\(usual)"] : ["\($0):\(address.port)"] }
                + names.map { $0.lowercased() }.flatMap { [$0, "\($0):\(address.port)", "\($0):443"] })
    }

    /// The time for which it is remembered what a device has of items that are gone, in milliseconds: it may have been away.
    private static let memory: Int64 = 90 * 86_400_000

    /// Answers one request.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch await answer(to: request) {
        case .whole(let response): response
        case .engine(let response, let rights): HTTPResponse(response, while: rights)
        }
    }

    /// An answer, before its body is sent.
    enum Answer {
        case whole(HTTPResponse)
        /// One of the engine, which is cut when the device loses its rights.
        case engine(DAVResponse, DeviceRights)

        /// The status.
        var status: Int {
            switch self {
            case .whole(let response): response.status
            case .engine(let response, _): response.status
            }
        }

        /// The header fields.
        var headers: HTTPHeaders {
            get {
                switch self {
                case .whole(let response): response.headers
                case .engine(let response, _): response.headers
                }
            }
            set {
                switch self {
                case .whole(var response):
                    response.headers = newValue
                    self = .whole(response)
                case .engine(var response, let rights):
                    response.headers = newValue
                    self = .engine(response, rights)
                }
            }
        }
    }

    /// Answers one request, and notes it in the log of its device.
    func answer(to request: HTTPRequest) async -> Answer {
        let start = clock.now
        var device: String?
        var response: Answer
        do {
            (response, device) = try await checked(request)
        } catch let refusal as Refusal {
            response = .whole(refusal.response)
        } catch let error as HubError where ["file-elsewhere", "file-gone", "many-sounds"].contains(error.code) {
            // A file that another machine has, which cannot be reached now.
            log.warning("\(request.method.rawValue) \(request.path): \(error.message)")
            response = .whole(
                HTTPResponse(
                    status: 503, headers: ["Retry-After": "60", "Content-Type": "text/plain; charset=utf-8"],
                    body: .bytes(Array("\(error.message)\n".utf8))))
        } catch {
            if !(error is CancellationError) { log.error("\(request.method.rawValue) \(request.path): \(error)") }
            // Clients take anything else for an answer about the collection, and drop it.
            response = .whole(HTTPResponse(status: 503, headers: ["Retry-After": "60"]))
        }
        response.headers["X-Content-Type-Options"] = "nosniff"
        if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
        if let device {
            requests.append(
                device, request, status: response.status, milliseconds: clock.now.milliseconds - start.milliseconds)
        }
        return response
    }

    /// A response without content.
    private struct Refusal: Error {
        let response: HTTPResponse

        init(_ status: Int, _ headers: HTTPHeaders = [:]) { response = HTTPResponse(status: status, headers: headers) }
    }

    private func checked(_ request: HTTPRequest) async throws -> (Answer, device: String?) {
        let hosts = request.headers.values("Host")
        guard hosts.count == 1, names.contains(hosts[0].lowercased()) else {
            log.warning(
                "refused a request for the host \(hosts.first ?? "-"); hub.dav.names lists the names of this server")
            throw Refusal(421)
        }
        // A browser that knows the password must not be a way in for other pages. Thunderbird says that it comes from this server,
        // which has no pages of its own.
        guard request.headers.values("Origin").allSatisfy({ isOwn($0, hosts[0]) }),
            ["none", "same-origin"].contains(request.headers["Sec-Fetch-Site"] ?? "none")
        else { throw Refusal(403) }
        var asked = DAVRequest(request.method.rawValue, request.path, headers: request.headers, body: request.body)
        asked.hosts = self.names
        if let response = DAVService.open(asked) { return (.whole(HTTPResponse(response)), nil) }
        if let machines, let path = MachineGate.path(of: request) {
            let (response, device) = try await answer(machines, path, request)
            return (.whole(response), device)
        }
        if let code = Self.code(in: request.path) { return (.whole(try await settings(by: code, request)), nil) }
        let device = try await authenticated(request)
        try await credentials?.refresh(at: clock.now)
        let file = request.bodyFile
        defer { withExtendedLifetime(file) {} }
        asked.bodyFile = file.map { ($0.path, $0.size) }
        let program = asked.program
        try await store.noteSeen(device, program: program, at: clock.now)
        if bursts.isFirstOfDay(device.name, at: clock.now) {
            let term = Instant(milliseconds: clock.now.milliseconds - Self.memory)
            for collection in collections where collection.kind != .addressBook {
                try await store.forgetGone(from: collection, on: device.name, before: term)
            }
        }
        let kept = KeptCalendars(store.database)
        let books = device.seesEachBook ? self.books : nil
        var served = self.collections
        if let books {
            let each = try await books.books().map { DAVCollection($0) }
            served = each + served.filter { $0.kind != .addressBook }
        }
        if device.scopes.contains("tasks") { served += try await kept.collections() }
        let trees = DAVFolders(folders, locks: locks, now: clock.now.milliseconds)
        let session = DeviceSession(
            device, program: program, operation: bursts.operation(of: device.name, at: clock.now), store: store,
            bursts: bursts)
        let response = try await DAVService(served, folders: trees, calendars: kept, books: books, for: session)
            .respond(to: asked)
        return (.engine(response, DeviceRights(device, store: store, clock: clock)), device.name)
    }

    /// Whether an origin is this server under the name by which it was asked: a page that came without encryption is not, where
    /// hub or a proxy encrypts.
    private func isOwn(_ origin: String, _ host: String) -> Bool {
        let own = host.lowercased()
        return origin.lowercased() == "https://" + own || !isEncrypted && origin.lowercased() == "http://" + own
    }

    /// Answers another hub: one that has a code to join by, or one that has joined.
    private func answer(
        _ machines: MachineGate, _ path: String, _ request: HTTPRequest
    ) async throws -> (HTTPResponse, device: String?) {
        let opens = request.method == .get && path.hasPrefix(MachineHome.exchange)
        guard request.method == .post || opens else { throw Refusal(405, ["Allow": "POST"]) }
        guard !failures.areTooMany(from: request.peer, at: clock.now) else { throw Refusal(429, ["Retry-After": "60"]) }
        if path == MachineGate.join {
            let response = try await machines.join(request.body, store)
            if response.status != 200 { failures.note(from: request.peer, at: clock.now) }
            return (response, nil)
        }
        let device = try await authenticated(request)
        guard device.scopes.contains(MachineGate.scope) else { throw Refusal(403) }
        try await store.noteSeen(device, program: "hub", at: clock.now)
        if opens {
            let rights = DeviceRights(device, store: store, clock: clock)
            guard var response = machines.open(path, request, from: device.name, while: rights, clock, log) else {
                throw Refusal(404)
            }
            response.isToKnownClient = true
            return (response, device.name)
        }
        var response = try await machines.answer(
            path, request.body, from: device.name, operation: bursts.operation(of: device.name, at: clock.now))
        response.isToKnownClient = true
        return (response, device.name)
    }

    /// The path below which a code stands that gives a device its settings.
    static let settingsPath = "/devices/"

    private static func code(in path: String) -> String? {
        guard path.utf8.starts(with: settingsPath.utf8) else { return nil }
        return String(path.dropFirst(settingsPath.count).prefix { $0 != "/" })
    }

    /// The profile of a device that has a code. Reading it again within the time of the code gives the same.
    private func settings(by code: String, _ request: HTTPRequest) async throws -> HTTPResponse {
        guard ["GET", "HEAD"].contains(request.method.rawValue) else { throw Refusal(405, ["Allow": "GET, HEAD"]) }
        guard !failures.areTooMany(from: request.peer, at: clock.now) else { throw Refusal(429, ["Retry-After": "60"]) }
        guard let profile, let device = try await store.device(ofCode: code, at: clock.now) else {
            failures.note(from: request.peer, at: clock.now)
            return HTTPResponse(
                status: 404, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(Array("This address is not valid any more. hub devices profile makes a new one.\n".utf8)))
        }
        let headers: HTTPHeaders = [
            "Content-Type": AppleProfile.mediaType, "Content-Disposition": "attachment; filename=\"hub.mobileconfig\"",
        ]
        if request.method.rawValue == "HEAD" { return HTTPResponse(status: 200, headers: headers) }
        let password = try await store.setPassword(of: device.name, by: code)
        return HTTPResponse(
            status: 200, headers: headers, body: .bytes(try profile.content(for: device, password: password)))
    }

    /// The device whose name and password a request has. A request without any does not count as a failure: many
    /// clients begin so.
    private func authenticated(_ request: HTTPRequest) async throws -> RegisteredDevice {
        let challenge: HTTPHeaders = ["WWW-Authenticate": #"Basic realm="hub", charset="UTF-8""#]
        guard let field = request.headers["Authorization"] else { throw Refusal(401, challenge) }
        guard !failures.areTooMany(from: request.peer, at: clock.now) else { throw Refusal(429, ["Retry-After": "60"]) }
        if let (name, password) = BasicCredentials.read(field), let device = try await store.device(name) {
            let hash = try DevicePassword.hash(password)
            if WebSecret.isEqual(hash, device.hash) { return device }
        }
        failures.note(from: request.peer, at: clock.now)
        throw Refusal(401, challenge)
    }
}

extension RegisteredDevice {
    /// The scope of a device that sees each address book by itself.
    static let eachBook = "each-book"

    /// Whether it sees each address book by itself, and not all contacts as one.
    var seesEachBook: Bool { scopes.contains(Self.eachBook) }

    /// What it may use, in words.
    var scopeText: String {
        let words = scopes.filter { $0 != Self.eachBook }.map { word in
            word == DAVCollection.Home.contacts.rawValue && seesEachBook ? "\(word) (each book)" : word
        }
        return words.joined(separator: ", ") + (isReadOnly ? " (read only)" : "")
    }
}

/// What a device was allowed when its request began, checked again while the answer is sent: at most once a second.
final class DeviceRights: Sendable {
    private let device: RegisteredDevice
    private let store: DeviceStore
    private let clock: any Clock
    private let checked: Mutex<Instant>

    init(_ device: RegisteredDevice, store: DeviceStore, clock: any Clock) {
        self.device = device
        self.store = store
        self.clock = clock
        checked = Mutex(clock.now)
    }

    /// Throws when the device was removed, or has got another password.
    func require() async throws {
        let now = clock.now
        let isDue = checked.withLock { checked in
            guard abs(now.milliseconds - checked.milliseconds) >= 1000 else { return false }
            checked = now
            return true
        }
        guard isDue else { return }
        guard let current = try await store.device(device.name), current.hash == device.hash else {
            throw CancellationError()
        }
    }
}

/// The passwords of the devices, as far as they have been read: the body of a request may go to the disk only if it comes from one of
/// them, and that is decided while it arrives.
final class KnownCredentials: Sendable {
    private struct State {
        var hashes: [String: [UInt8]] = [:]
        var readAt: Instant?
    }

    private let store: DeviceStore
    private let state = Mutex(State())

    init(_ store: DeviceStore) { self.store = store }

    /// Reads the passwords again, at most once a minute.
    func refresh(at now: Instant) async throws {
        let isDue = state.withLock { state in
            if let last = state.readAt, abs(now.milliseconds - last.milliseconds) < 60_000 { return false }
            state.readAt = now
            return true
        }
        guard isDue else { return }
        let devices = try await store.devices().filter { !$0.isReadOnly }
        state.withLock { $0.hashes = Dictionary(devices.map { ($0.name, $0.hash) }) { first, _ in first } }
    }

    /// Whether the field `Authorization` is that of a device that may change something.
    func contain(_ field: String?) -> Bool {
        guard let (name, password) = field.flatMap(BasicCredentials.read),
            let known = state.withLock({ $0.hashes[name] }), let hash = try? DevicePassword.hash(password)
        else { return false }
        return WebSecret.isEqual(hash, known)
    }
}

/// User name and password of a request (RFC 7617).
enum BasicCredentials {
    /// Reads the field; the name in lower case, without the domain that Windows puts before it, its escapes decoded.
    static func read(_ field: String) -> (name: String, password: String)? {
        guard field.utf8.count > 6,
            field.utf8.prefix(6).elementsEqual("Basic ".utf8) || field.lowercased().hasPrefix("basic "),
            let bytes = Base64.decode(field.utf8.dropFirst(6)), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        var name = String(decoding: bytes[..<colon], as: UTF8.self)
        name = PercentEncoding.decode(name) ?? name
        if let backslash = name.lastIndex(of: "\\") { name = String(name[name.index(after: backslash)...]) }
        return (name.lowercased(), String(decoding: bytes[(colon + 1)...], as: UTF8.self))
    }
}

/// Wrong passwords by the address that they came from: after ten of them it has to wait a minute.
final class LoginFailures: Sendable {
    private static let (limit, time, addresses) = (10, Int64(60_000), 1000)
    private let known = Mutex<[String: (count: Int, last: Int64)]>([:])

    /// Whether the address must wait.
    func areTooMany(from peer: String, at now: Instant) -> Bool {
        known.withLock { known in
            guard let entry = known[peer] else { return false }
            return entry.count >= Self.limit && now.milliseconds - entry.last < Self.time
        }
    }

    /// Counts a wrong password.
    func note(from peer: String, at now: Instant) {
        known.withLock { known in
            let recent = known[peer].flatMap { now.milliseconds - $0.last < Self.time ? $0.count : nil } ?? 0
            if known.count >= Self.addresses {
                known = known.filter { now.milliseconds - $0.value.last < Self.time }
                // With so many addresses at once, forgetting some is better than growing without end.
                if known.count >= Self.addresses { known.removeAll() }
            }
            known[peer] = (recent + 1, now.milliseconds)
        }
    }
}

extension HTTPResponse {
    /// The answer of the engine as one of the server; a long one is cut when the device loses its rights.
    init(_ response: DAVResponse, while rights: DeviceRights? = nil) {
        self.init(status: response.status, headers: response.headers)
        streamLength = response.length
        isToKnownClient = rights != nil
        switch response.body {
        case .bytes(let bytes): body = .bytes(bytes)
        case .stream(let produce):
            body = .stream { writer in
                try await produce { bytes in
                    try await rights?.require()
                    try await writer.write(bytes)
                }
            }
        }
    }
}
