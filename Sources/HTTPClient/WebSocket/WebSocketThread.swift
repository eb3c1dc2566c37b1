import CCurl
import Glibc
import Threading
import Time
import WebSocket

/// The thread of one WebSocket, which alone uses its connection. libcurl makes the connection, by TCP or TLS and through
/// proxies; then the bytes are read and written as they are.
final class WebSocketThread {
    typealias Reply = CheckedContinuation<Result<ClientWebSocket, WebSocketOpeningError>, Never>

    /// The largest head of a response.
    private static let maximumHead = 64 << 10
    /// The most bytes that wait to be sent; a server that reads nothing is given up.
    private static let maximumOutbox = 64 << 20
    /// The longest wait for the end of a connection that was closed here.
    private static let closingTime = Duration.seconds(5)

    private let request: HTTPRequest
    private let configuration: HTTPConfiguration
    private let subprotocols: [String]
    private let curl: UnsafePointer<lazy_curl>
    private let handle: UnsafeMutableRawPointer
    private let wakeup: EventFD
    private let commands: CommandQueue<ClientWebSocket.Command>
    private let inbox = ClientWebSocket.Inbox()
    private var engine: WebSocketConnection
    private var socket: Int32 = -1
    private var outbox: ArraySlice<UInt8> = []
    private var closesAt: ContinuousClock.Instant?

    private init?(
        _ request: HTTPRequest, _ configuration: HTTPConfiguration, _ subprotocols: [String],
        _ limits: WebSocketConnection.Limits, curl: UnsafePointer<lazy_curl>, wakeup: EventFD,
        commands: CommandQueue<ClientWebSocket.Command>
    ) {
        guard let handle = curl.pointee.curl_easy_init() else { return nil }
        self.request = request
        self.configuration = configuration
        self.subprotocols = subprotocols
        self.curl = curl
        self.handle = handle
        self.wakeup = wakeup
        self.commands = commands
        engine = WebSocketConnection(role: .client, limits: limits)
    }

    deinit { curl.pointee.curl_easy_cleanup(handle) }

    /// Starts a thread that opens a WebSocket, answers, and serves it to its end.
    static func start(
        _ request: HTTPRequest, _ configuration: HTTPConfiguration, _ subprotocols: [String],
        _ limits: WebSocketConnection.Limits, _ reply: Reply
    ) {
        let status = DetachedThread.start {
            var reason: UnsafePointer<CChar>?
            guard let curl = ccurl_load(&reason) else {
                let text = reason.map { String(cString: $0) } ?? ""
                return reply.resume(returning: .failure(.http(.libraryMissing(text))))
            }
            guard let wakeup = EventFD() else {
                return reply.resume(returning: .failure(.http(.unreachable(String(cString: strerror(errno))))))
            }
            let commands = CommandQueue<ClientWebSocket.Command> {
                wakeup.signal()
            } abandon: { _ in
            }
            guard
                let thread = WebSocketThread(
                    request, configuration, subprotocols, limits, curl: curl, wakeup: wakeup, commands: commands)
            else { return reply.resume(returning: .failure(.http(.unreachable("out of memory")))) }
            thread.run(reply)
        }
        if status != 0 { reply.resume(returning: .failure(.http(.unreachable("cannot start a thread")))) }
    }

    private func run(_ reply: Reply) {
        let rest: [UInt8]
        do throws(WebSocketOpeningError) {
            try connect()
            let (chosen, left) = try shakeHands()
            rest = left
            reply.resume(
                returning: .success(ClientWebSocket(subprotocol: chosen, inbox: inbox, commands: commands)))
        } catch {
            commands.close()
            return reply.resume(returning: .failure(error))
        }
        let end = exchange(rest)
        commands.close()
        inbox.add(end)
    }

    // MARK: Opening

    private func connect() throws(WebSocketOpeningError) {
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let result = reason.withUnsafeMutableBufferPointer { reason in
            _ = ccurl_set_pointer(curl, handle, CURLOPT_ERRORBUFFER, reason.baseAddress)
            defer { _ = ccurl_set_pointer(curl, handle, CURLOPT_ERRORBUFFER, nil) }
            var isSet = true
            func set(_ option: CURLoption, _ value: Int) {
                isSet = ccurl_set_long(curl, handle, option, value) == CURLE_OK && isSet
            }
            func set(_ option: CURLoption, _ value: String) {
                isSet = ccurl_set_text(curl, handle, option, value) == CURLE_OK && isSet
            }
            set(CURLOPT_NOSIGNAL, 1)
            set(CURLOPT_PROTOCOLS_STR, "http,https")
            set(CURLOPT_URL, request.url.description)
            set(CURLOPT_CONNECT_ONLY, 1)
            set(CURLOPT_HTTPPROXYTUNNEL, 1)
            set(CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1
            set(CURLOPT_CONNECTTIMEOUT_MS, Int(request.deadlines.connect.pollTimeout))
            set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2
            for (option, value) in configuration.trust.options { set(option, value) }
            if configuration.trust.isKey {
                // The key is checked all the same, in the handshake.
                set(CURLOPT_SSL_VERIFYPEER, 0)
                set(CURLOPT_SSL_VERIFYHOST, 0)
            }
            if configuration.proxy == .none { set(CURLOPT_PROXY, "") }
            return isSet ? curl.pointee.curl_easy_perform(handle) : CURLE_FAILED_INIT
        }
        guard result == CURLE_OK else {
            let detail = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let general = curl.pointee.curl_easy_strerror(result).map { String(cString: $0) } ?? ""
            throw .http(HTTPError(result, detail.isEmpty ? general : detail, at: request.url, limit: 0))
        }
        socket = ccurl_get_socket(curl, handle)
        guard socket >= 0 else { throw .http(.unreachable("the connection was lost")) }
    }

    /// Upgrades the connection; returns the subprotocol and what came after the head of the response.
    private func shakeHands() throws(WebSocketOpeningError) -> (subprotocol: String?, rest: [UInt8]) {
        var generator = SystemRandomNumberGenerator()
        let key = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let url = request.url
        let host = url.port == url.scheme.defaultPort ? url.host : "\(url.host):\(url.port)"
        let own = request.headers.fields.map { (name: $0.name, value: $0.value) }
        let fields =
            [(name: "Host", value: host), (name: "User-Agent", value: configuration.userAgent)]
            + WebSocketHandshake.request(key: key, subprotocols: subprotocols) + own
        let target = url.path + (url.query.map { "?\($0)" } ?? "")
        outbox = ArraySlice(
            ("GET \(target) HTTP/1.1\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
        let deadline = ContinuousClock.now + request.deadlines.idle
        var bytes: [UInt8] = []
        while true {
            guard deadline > .now else { throw .http(.timedOut(.idle)) }
            guard flush(), bytes.count < Self.maximumHead, let more = read() else {
                throw .http(.connectionLost("the server did not answer the handshake"))
            }
            bytes += more
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let head = String(decoding: bytes[..<end], as: UTF8.self)
                return (try check(head, key), Array(bytes[end...]))
            }
            if more.isEmpty { wait(for: min(deadline - .now, .seconds(1))) }
        }
    }

    private func check(_ head: String, _ key: [UInt8]) throws(WebSocketOpeningError) -> String? {
        let lines = head.split(separator: "\r\n" as Character)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        do throws(WebSocketHandshake.Failure) {
            return try WebSocketHandshake.check(
                status: status, WebSocketHandshake.Headers(headers), key: key, subprotocols: subprotocols)
        } catch {
            throw .refused(error)
        }
    }

    // MARK: Exchanging

    /// Delivers and sends until the connection ends; returns the end.
    private func exchange(_ first: [UInt8]) -> ClientWebSocket.Event {
        if let end = take(engine.receive(first)) { return end }
        while true {
            for command in commands.takeAll() { perform(command) }
            guard outbox.count <= Self.maximumOutbox, flush(), closesAt.map({ $0 > .now }) ?? true else {
                return lost()
            }
            let isFull = inbox.isFull
            if !isFull {
                guard let bytes = read() else { return lost() }
                if let end = take(engine.receive(bytes)) { return end }
                if !bytes.isEmpty { continue }
            }
            wait(for: closesAt == nil ? .seconds(60) : Self.closingTime, readsSocket: !isFull)
        }
    }

    private func lost() -> ClientWebSocket.Event { take(engine.streamEnded()) ?? .closed(.abnormal, reason: "") }

    private func perform(_ command: ClientWebSocket.Command) {
        switch command {
        case .send(let message): outbox += engine.send(message) ?? []
        case .ping: outbox += engine.ping() ?? []
        case .close(let code, let reason):
            guard let bytes = engine.close(code, reason: reason) else { return }
            outbox += bytes
            closesAt = .now + Self.closingTime
        }
    }

    /// Carries out the engine's actions; returns the end of the connection.
    private func take(_ actions: [WebSocketConnection.Action]) -> ClientWebSocket.Event? {
        for action in actions {
            switch action {
            case .deliver(let message): inbox.add(.message(message))
            case .pong: inbox.add(.pong)
            case .send(let bytes): outbox += bytes
            case .closed(let code, let reason):
                _ = flush()
                return .closed(code, reason: reason)
            }
        }
        return nil
    }

    /// Sends what can be sent now; false when the connection is lost.
    private func flush() -> Bool {
        while !outbox.isEmpty {
            var count = 0
            let result = outbox.withUnsafeBytes { bytes in
                curl.pointee.curl_easy_send(handle, bytes.baseAddress, bytes.count, &count)
            }
            if result == CURLE_AGAIN { return true }
            guard result == CURLE_OK else { return false }
            outbox = outbox.dropFirst(count)
        }
        outbox = []
        return true
    }

    /// Returns the bytes that are there, perhaps none; nil at the end of the stream.
    private func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        let result = buffer.withUnsafeMutableBytes { bytes in
            curl.pointee.curl_easy_recv(handle, bytes.baseAddress, bytes.count, &count)
        }
        if result == CURLE_AGAIN { return [] }
        guard result == CURLE_OK, count > 0 else { return nil }
        return Array(buffer[..<count])
    }

    /// Waits until there is something to do, at most for `time`.
    private func wait(for time: Duration, readsSocket: Bool = true) {
        let events = (readsSocket ? POLLIN : 0) | (outbox.isEmpty ? 0 : POLLOUT)
        var polled = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(events), revents: 0),
        ]
        // A full inbox and a broken connection would wake it without end.
        if !readsSocket, outbox.isEmpty { polled[1].fd = -1 }
        while poll(&polled, 2, time.pollTimeout) < 0, errno == EINTR {}
        wakeup.drain()
    }
}
