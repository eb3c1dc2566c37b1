import DBus
import Glibc
import Synchronization
import Testing

@testable import Dictofun

/// Notifications through a descriptor, as the Bluetooth service writes them: a packet each.
struct NotificationReaderTests {
    /// A reader, and the end of its socket that the service would have.
    private struct Pair {
        let reader: NotificationReader
        let service: Int32
        var arrivals: AsyncStream<Void>.Iterator

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            reader = try #require(
                NotificationReader(DBusDescriptor(adopting: ends[0]), of: "/data") { _ in continuation.yield() })
            (service, arrivals) = (ends[1], stream.makeAsyncIterator())
        }

        /// Writes packets of the sizes that a recorder sends, from byte `start` on, until all is written, there is an error, or, after
        /// `least` bytes, the socket stays full. Returns the number of bytes, and the error.
        func send(_ bytes: [UInt8], from start: Int, least: Int = 0) -> (count: Int, error: Int32) {
            var place = start
            while place < bytes.count {
                let size = min(place % 256 == 0 ? 200 : 56, bytes.count - place)
                let sent = bytes[place..<place + size].withUnsafeBytes {
                    Glibc.send(service, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                }
                let error = sent < 0 ? errno : 0
                if sent == size {
                    place += size
                } else {
                    var space = pollfd(fd: service, events: Int16(POLLOUT), revents: 0)
                    if error != EAGAIN { return (place - start, error) }
                    if poll(&space, 1, 200) == 0, place - start >= least { break }
                }
            }
            return (place - start, 0)
        }

        /// Takes what arrives until it is `count` bytes.
        mutating func take(_ count: Int) async -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count, await arrivals.next(isolation: #isolation) != nil { bytes += reader.take() }
            return bytes
        }
    }

    /// No two places near each other have the same bytes.
    private static let file = (0..<1 << 21).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8 ^ $0) }

    @Test func `while nobody takes them, notifications fill a buffer of limited size and then the socket`() async throws
    {
        var pair = try Pair()
        defer { pair.reader.close() }
        defer { close(pair.service) }
        var sent = pair.send(Self.file, from: 0, least: NotificationReader.limit + 1).count
        // The buffer, one more read, and the socket.
        #expect(sent > NotificationReader.limit && sent < NotificationReader.limit + 1 << 18)
        var received = await pair.take(sent)
        // It goes on when there is space.
        while sent < Self.file.count {
            let more = pair.send(Self.file, from: sent).count
            received += await pair.take(more)
            sent += more
        }
        #expect(received == Self.file)
    }

    @Test func `an empty socket and a notification without bytes are not the end`() async throws {
        var pair = try Pair()
        defer { pair.reader.close() }
        defer { close(pair.service) }
        for byte in UInt8(1)...3 {
            // The thread has read all that there is, so it meets an empty socket before the next one.
            #expect(pair.send([byte], from: 0).count == 1)
            #expect(await pair.take(1) == [byte])
            let sent = Glibc.send(pair.service, nil, 0, Int32(MSG_NOSIGNAL))
            #expect(sent == 0)
        }
    }

    @Test func `a reader that is closed ends the delivery, also while its buffer is full`() throws {
        let pair = try Pair()
        defer { close(pair.service) }
        #expect(pair.send(Self.file, from: 0, least: NotificationReader.limit + 1).count < Self.file.count)
        pair.reader.close()
        #expect(pair.send(Self.file, from: 0) == (0, EPIPE))
    }
}
