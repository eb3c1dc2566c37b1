import DBus
import Glibc
import Synchronization
import Threading

/// Reads the notifications of a characteristic from a descriptor, on a thread of its own: the service drops what it cannot write, so
/// they must be read also while a file is being stored.
///
/// What notifications carry is put together by its bytes, so those that wait are one piece, of limited size. While that is full, none
/// is read; then the socket keeps some more.
package final class NotificationReader: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
    }

    /// The path of the characteristic.
    package let characteristic: String
    private let descriptor: DBusDescriptor
    private let space: EventFD
    private let state = Mutex(State())

    /// The bytes that wait at most before the thread pauses: of the fastest radio, more than any file takes to be stored.
    static let limit = 1 << 19
    /// The most bytes of a notification, whose MTU is at most 517.
    private static let packetLimit = 1024
    /// The bytes that are read at a time: more than the socket holds of small notifications.
    private static let readSize = 1 << 16

    /// Starts to read. `arrived` is called on the thread when bytes wait to be taken and none did before.
    ///
    /// Returns nil when there are too many descriptors or threads.
    init?(
        _ descriptor: DBusDescriptor, of characteristic: String,
        arrived: @escaping @Sendable (NotificationReader) -> Void
    ) {
        guard let space = EventFD() else { return nil }
        (self.descriptor, self.characteristic, self.space) = (descriptor, characteristic, space)
        guard DetachedThread.start({ self.read(arrived) }) == 0 else { return nil }
    }

    /// Returns the bytes that wait, and makes space for more.
    package func take() -> [UInt8] {
        let bytes = state.withLock { state in
            let bytes = state.bytes
            state.bytes = []
            return bytes
        }
        if bytes.count >= Self.limit { space.signal() }
        return bytes
    }

    /// Ends the thread, and the delivery of notifications through this descriptor.
    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(descriptor.number, Int32(SHUT_RDWR))
        space.signal()
    }

    private func read(_ arrived: (NotificationReader) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer in
            while true {
                let count = receive(buffer)
                guard count > 0 else { return }
                let waiting = state.withLock { state in
                    state.bytes.append(contentsOf: buffer[..<count])
                    return (before: state.bytes.count - count, now: state.bytes.count)
                }
                if waiting.before == 0 { arrived(self) }
                if waiting.now >= Self.limit { waitForSpace() }
            }
        }
    }

    /// Waits for a notification, and adds those that have come as well; returns the number of bytes, 0 at the end.
    ///
    /// The service makes its descriptors non-blocking, so an empty socket is waited for by `poll`. A notification without bytes
    /// is not the end.
    private func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count + Self.packetLimit <= buffer.count {
            let space = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let received = recv(descriptor.number, space.baseAddress, Self.packetLimit, Int32(MSG_DONTWAIT))
            if received > 0 {
                count += received
            } else if received == 0 ? hasEnded : errno != EINTR && (errno != EAGAIN || count > 0 || !waitForData()) {
                break
            }
        }
        return count
    }

    /// Whether the service has closed its end.
    private var hasEnded: Bool {
        var ends = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return poll(&ends, 1, 0) != 0
    }

    /// Waits until there is something to receive; false when that cannot be waited for.
    private func waitForData() -> Bool {
        var data = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&data, 1, -1) >= 0 || errno == EINTR
    }

    private func waitForSpace() {
        while state.withLock({ $0.bytes.count >= Self.limit && !$0.isClosed }) {
            var wakeup = pollfd(fd: space.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wakeup, 1, -1)
            space.drain()
        }
    }
}
