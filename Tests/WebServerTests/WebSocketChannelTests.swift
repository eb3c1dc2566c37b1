import Glibc
import Synchronization
import Testing
import WebSocket

@testable import WebServer

/// What a channel does with its socket before the thread of the loop comes to it.
struct WebSocketChannelTests {
    /// A connection over loopback, the end of the server first.
    private static func connection() throws -> (server: Int32, client: Int32) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &size) == 0 && connect(client, address, size) == 0
            }
        }
        try #require(isConnected)
        return (accept(listener, nil, nil), client)
    }

    @Test func `a message is with the system at once, and does not wait for the one before to be confirmed`() throws {
        let (server, client) = try Self.connection()
        defer {
            close(server)
            close(client)
        }
        let asked = Mutex(0)
        let channel = WebSocketChannel(socket: server, first: [], limits: WebSocketLimits()) { _ in
            asked.withLock { $0 += 1 }
        }
        var (isOn, size): (Int32, socklen_t) = (0, 4)
        #expect(getsockopt(server, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, &size) == 0 && isOn == 1)
        #expect(channel.send([.text("a"), .text("b")]))
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(recv(client, &bytes, 16, 0) == 6 && Array(bytes.prefix(6)) == [0x81, 1, 0x61, 0x81, 1, 0x62])
        #expect(asked.withLock(\.self) == 0, "no other thread was woken")
    }

    @Test func `what the system does not take is left to the loop, and nothing is sent when it is over`() throws {
        let (server, client) = try Self.connection()
        defer {
            close(server)
            close(client)
        }
        let asked = Mutex(0)
        var limits = WebSocketLimits()
        limits.waitingBytes = 64 << 20
        let channel = WebSocketChannel(socket: server, first: [], limits: limits) { _ in asked.withLock { $0 += 1 } }
        let message = String(repeating: "x", count: 1 << 20)
        var count = 0
        while asked.withLock({ $0 == 0 }), count < 60 {
            #expect(channel.send(.text(message)))
            count += 1
        }
        #expect(channel.send(.text("last")))
        #expect(asked.withLock(\.self) == 1 && channel.write()?.writes == true)
        // Each message has a head of ten bytes, the last one of two.
        let expected = count * (message.utf8.count + 10) + 6
        var (bytes, received, end) = ([UInt8](repeating: 0, count: 1 << 20), 0, [UInt8]())
        while received < expected {
            let size = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if size > 0 {
                received += size
                end = Array((end + bytes.prefix(size)).suffix(6))
            } else {
                try #require(size < 0 && errno == EAGAIN)
                _ = channel.write()
            }
        }
        #expect(received == expected && end == [0x81, 4] + Array("last".utf8))
        channel.end()
        channel.send(.text("late"))
        #expect(recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN)
    }
}
