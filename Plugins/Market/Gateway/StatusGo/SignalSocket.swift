import Glibc
import MarketDomain
import Synchronization
import Threading
import Time
import WebSocket

/// The WebSocket of status-go's signals, on a thread of its own that connects again whenever the link is lost.
///
/// The backend answers no pings, so liveness is judged by traffic: with a live page, a link that is silent for too long is lost.
final class SignalSocket: Sendable {
    /// What happens on the link.
    enum Event: Sendable {
        case connected
        /// One text message.
        case message([UInt8])
        case lost(GatewayError)
    }

    private let host: String
    private let port: Int
    /// The longest silence of a link with a live page.
    private let silence: Duration
    private let deliver: @Sendable (Event) -> Void
    private let wakeup: EventFD
    private let isClosed = Atomic(false)
    private let isLive = Atomic(false)

    /// The largest message: a page of 5,000 rows is about 2 MB.
    private static let limits = WebSocketConnection.Limits(messageSize: 16 << 20)
    private static let connectTimeout: Int32 = 5000

    /// Creates a link that is not connected; nil when the system has no descriptors left. `deliver` is called on the
    /// thread of the link.
    init?(host: String, port: Int, silence: Duration = .seconds(45), deliver: @escaping @Sendable (Event) -> Void) {
        guard let wakeup = EventFD() else { return nil }
        self.host = host
        self.port = port
        self.silence = silence
        self.deliver = deliver
        self.wakeup = wakeup
    }

    /// Starts to connect; returns false when the system refuses a thread.
    func start() -> Bool { DetachedThread.start { [self] in run() } == 0 }

    /// Says whether a page is live, so that silence means a lost link.
    func setLive(_ live: Bool) { isLive.store(live, ordering: .relaxed) }

    /// Ends the link for good.
    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        wakeup.signal()
    }

    private var isOver: Bool { isClosed.load(ordering: .sequentiallyConsistent) }

    private func run() {
        var attempts = LinkAttempts()
        while !isOver {
            do throws(GatewayError) {
                let descriptor = try connect()
                defer { Glibc.close(descriptor) }
                let rest = try shakeHands(descriptor)
                deliver(.connected)
                try exchange(descriptor, rest) { message in
                    attempts.delivered()
                    deliver(.message(message))
                }
            } catch {
                if isOver { return }
                deliver(.lost(error))
                _ = wait(on: -1, for: attempts.lost(random: .random(in: 0..<1)).pollTimeout)
            }
        }
    }

    /// Waits until the descriptor is readable, or writable; false when the time is over or the link is closed.
    private func wait(on descriptor: Int32, _ events: Int32 = POLLIN, for milliseconds: Int32) -> Bool {
        var polled = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
        ]
        while poll(&polled, 2, milliseconds) < 0, errno == EINTR {}
        return !isOver && polled[1].revents != 0
    }

    private func connect() throws(GatewayError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let status = getaddrinfo(name, String(port), &hints, &found)
        guard status == 0 else { throw .unreachable(String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(found) }
        var reason = "no address"
        var next = found
        while let address = next?.pointee {
            next = address.ai_next
            let descriptor = socket(
                address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0
            )
            guard descriptor >= 0 else { continue }
            var code = Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno
            if code == EINPROGRESS {
                var size = socklen_t(MemoryLayout<Int32>.size)
                code = ETIMEDOUT
                if wait(on: descriptor, POLLOUT, for: Self.connectTimeout) {
                    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
                }
            }
            if code == 0 { return descriptor }
            reason = String(cString: strerror(code))
            Glibc.close(descriptor)
        }
        throw .unreachable(reason)
    }

    private func send(_ bytes: [UInt8], to descriptor: Int32) throws(GatewayError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                guard wait(on: descriptor, POLLOUT, for: Self.connectTimeout) else { throw .timedOut }
            } else if errno != EINTR {
                throw .unreachable(String(cString: strerror(errno)))
            }
        }
    }

    /// The bytes that are there, at least one; nil at the end of the stream.
    private func receive(from descriptor: Int32, within milliseconds: Int32) throws(GatewayError) -> [UInt8]? {
        guard wait(on: descriptor, for: milliseconds) else { throw isOver ? .cancelled : .timedOut }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 { throw .unreachable(String(cString: strerror(errno))) }
        return count == 0 ? nil : Array(buffer[..<count])
    }

    /// Upgrades the connection and returns what came after the head of the response.
    private func shakeHands(_ descriptor: Int32) throws(GatewayError) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let key = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let fields = [(name: "Host", value: "\(host):\(port)")] + WebSocketHandshake.request(key: key)
        let head = "GET /signals HTTP/1.1\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        try send(Array(head.utf8), to: descriptor)
        var bytes: [UInt8] = []
        while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            guard bytes.count < 1 << 16, let more = try receive(from: descriptor, within: Self.connectTimeout) else {
                throw .malformed("no answer to the handshake of the signals")
            }
            bytes += more
        }
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n" as Character)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        do throws(WebSocketHandshake.Failure) {
            _ = try WebSocketHandshake.check(status: status, WebSocketHandshake.Headers(headers), key: key)
        } catch {
            throw .malformed("the signals refuse a WebSocket (\(error))")
        }
        return Array(bytes[end...])
    }

    /// Calls `arrived` with each message until the link ends.
    private func exchange(
        _ descriptor: Int32, _ first: [UInt8], arrived: ([UInt8]) -> Void
    ) throws(GatewayError) {
        var connection = WebSocketConnection(role: .client, limits: Self.limits)
        var bytes: [UInt8]? = first
        while true {
            for action in bytes.map({ connection.receive($0) }) ?? connection.streamEnded() {
                switch action {
                case .deliver(.text(let text)): arrived(Array(text.utf8))
                case .deliver(.binary(let data)): arrived(data)
                case .send(let data): try send(data, to: descriptor)
                case .pong: break
                case .closed(let code, _): throw .unreachable("the signals ended (\(code.rawValue))")
                }
            }
            while true {
                do throws(GatewayError) {
                    bytes = try receive(from: descriptor, within: silence.pollTimeout)
                    break
                } catch .timedOut where !isLive.load(ordering: .relaxed) {
                    // Without a live page nothing is expected.
                    continue
                }
            }
        }
    }
}
