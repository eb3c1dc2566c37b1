import CDBus
import Glibc
import Threading
import Time

extension ConnectionLoop {
    /// A watch and what poll(2) reported for it.
    struct Ready {
        let watch: OpaquePointer
        let events: Int16
    }

    /// Lets libdbus report the descriptors and deadlines to wait for; false when out of memory.
    func startWatching() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return cdbus_set_watch_functions(connection, watchAdded, watchRemoved, { _, _ in }, context)
    }

    /// Waits for the socket, a request or the next deadline.
    func wait() -> [Ready] {
        let active = watches.filter { cdbus_watch_events($0) != 0 }
        var descriptors = [pollfd(fd: queue.wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
        for watch in active {
            descriptors.append(pollfd(fd: cdbus_watch_descriptor(watch), events: cdbus_watch_events(watch), revents: 0))
        }
        guard poll(&descriptors, nfds_t(descriptors.count), millisecondsLeft) > 0 else { return [] }
        return zip(active, descriptors.dropFirst()).filter { $0.1.revents != 0 }
            .map { Ready(watch: $0.0, events: $0.1.revents) }
    }

    /// Reads or writes; a watch that the one before it took away is left alone.
    func handle(_ ready: Ready) {
        if watches.contains(ready.watch) { _ = cdbus_watch_handle(ready.watch, ready.events) }
    }

    /// The time to the next deadline for poll(2), rounded up; -1 when there is none.
    private var millisecondsLeft: Int32 {
        nextDeadline.map { ($0 - .now).pollTimeout } ?? -1
    }
}

private func watchAdded(_ watch: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> UInt32 {
    guard let watch, let context else { return 0 }
    ConnectionLoop.from(context).watches.append(watch)
    return 1
}

private func watchRemoved(_ watch: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let watch, let context else { return }
    ConnectionLoop.from(context).watches.removeAll { $0 == watch }
}

extension ConnectionLoop {
    /// Returns the loop of libdbus's context pointer; the loop closes the connection before it is released.
    fileprivate static func from(_ context: UnsafeMutableRawPointer) -> ConnectionLoop {
        Unmanaged<ConnectionLoop>.fromOpaque(context).takeUnretainedValue()
    }
}
