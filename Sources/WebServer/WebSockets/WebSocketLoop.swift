import CMicroHTTPD
import Glibc
import Threading

/// The WebSockets of a server: one thread waits for all of their sockets and moves their bytes.
///
/// libmicrohttpd hands a socket over after the handshake, and closes it when it is no longer needed.
final class WebSocketLoop: Sendable {
    private enum Command: Sendable {
        case add(WebSocketChannel, UpgradedSocket)
        case flush(WebSocketChannel)
        case stop
    }

    private let epoll: Int32
    private let wakeup: EventFD
    private let commands: CommandQueue<Command>
    private let ended = AsyncStream.makeStream(of: Void.self)
    /// The longest time without a look at the clock, in milliseconds.
    private let beat: Int32

    /// Starts the thread, which looks at the clock every `beat`.
    init(beat: Duration = .seconds(1)) throws(WebServerError) {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .outOfResources(errno: errno) }
        guard let wakeup = EventFD() else {
            let code = errno
            close(epoll)
            throw .outOfResources(errno: code)
        }
        self.epoll = epoll
        self.wakeup = wakeup
        self.beat = Int32(
            clamping: beat.components.seconds * 1000 + beat.components.attoseconds / 1_000_000_000_000_000)
        commands = CommandQueue(wake: wakeup.signal) { command in
            if case .add(let channel, let socket) = command {
                channel.end()
                socket.close()
            }
        }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup.descriptor, &event)
        let status = DetachedThread.start { self.run() }
        guard status == 0 else {
            close(epoll)
            throw .outOfResources(errno: status)
        }
    }

    /// Makes a channel of a socket that the library has handed over.
    func channel(_ socket: UpgradedSocket, first: [UInt8], limits: WebSocketLimits) -> WebSocketChannel {
        let channel = WebSocketChannel(socket: socket.descriptor, first: first, limits: limits) { [commands] channel in
            commands.send(.flush(channel))
        }
        commands.send(.add(channel, socket))
        return channel
    }

    /// Ends all WebSockets and the thread.
    func stop() async {
        commands.send(.stop)
        for await _ in ended.stream {}
    }

    // MARK: The thread

    private struct Entry {
        let channel: WebSocketChannel
        let socket: UpgradedSocket
        var interest: WebSocketChannel.Interest
    }

    private func run() {
        var entries: [UInt64: Entry] = [:]
        var numbers: [ObjectIdentifier: UInt64] = [:]
        var last: UInt64 = 0
        var isStopping = false
        var looked = ContinuousClock.now
        while !isStopping {
            withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
                let count = epoll_wait(epoll, events.baseAddress, 64, entries.isEmpty ? -1 : beat)
                for event in events.prefix(Int(max(0, count))) {
                    guard let entry = entries[event.data.u64] else {
                        wakeup.drain()
                        continue
                    }
                    if event.events & EPOLLIN.rawValue != 0 {
                        entry.channel.read()
                    } else if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
                        entry.channel.end()
                    }
                    settle(event.data.u64, &entries, &numbers)
                }
            }
            for command in commands.takeAll() {
                switch command {
                case .add(let channel, let socket):
                    last += 1
                    entries[last] = Entry(
                        channel: channel, socket: socket, interest: .init(reads: false, writes: false))
                    numbers[ObjectIdentifier(channel)] = last
                    var event = epoll_event(events: 0, data: epoll_data_t(u64: last))
                    epoll_ctl(epoll, EPOLL_CTL_ADD, socket.descriptor, &event)
                    settle(last, &entries, &numbers)
                case .flush(let channel):
                    if let number = numbers[ObjectIdentifier(channel)] { settle(number, &entries, &numbers) }
                case .stop: isStopping = true
                }
            }
            let now = ContinuousClock.now
            if now - looked >= .milliseconds(Int64(beat)) {
                looked = now
                for (number, entry) in entries where entry.channel.beat(now) { settle(number, &entries, &numbers) }
            }
        }
        for entry in entries.values {
            entry.channel.end()
            entry.socket.close()
        }
        commands.close()
        close(epoll)
        ended.continuation.finish()
    }

    /// Sends what waits, and waits for what is needed next; gives the socket back when it is done with.
    private func settle(
        _ number: UInt64, _ entries: inout [UInt64: Entry], _ numbers: inout [ObjectIdentifier: UInt64]
    ) {
        guard let entry = entries[number] else { return }
        guard let interest = entry.channel.write() else {
            epoll_ctl(epoll, EPOLL_CTL_DEL, entry.socket.descriptor, nil)
            entries[number] = nil
            numbers[ObjectIdentifier(entry.channel)] = nil
            let isDropped = entry.channel.isDropped
            entry.channel.end()
            entry.socket.close(atOnce: isDropped)
            return
        }
        guard interest != entry.interest else { return }
        entries[number]?.interest = interest
        let events = (interest.reads ? EPOLLIN.rawValue : 0) | (interest.writes ? EPOLLOUT.rawValue : 0)
        var event = epoll_event(events: events, data: epoll_data_t(u64: number))
        epoll_ctl(epoll, EPOLL_CTL_MOD, entry.socket.descriptor, &event)
    }
}

/// A socket that the library has handed over and wants back.
///
/// Sendable: the handle is only given to `MHD_upgrade_action`, which any thread may call, once.
struct UpgradedSocket: @unchecked Sendable {
    let descriptor: Int32
    let handle: OpaquePointer
    let exchange: Exchange

    /// Gives it back: the library closes the connection, `atOnce` or when the client has taken in what was sent.
    func close(atOnce: Bool = false) { exchange.giveBack(self, closingAtOnce: atOnce) }
}
