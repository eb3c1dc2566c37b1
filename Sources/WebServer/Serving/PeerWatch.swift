import CMicroHTTPD
import Dispatch
import Glibc

/// Tells when the other end of a connection goes away.
///
/// MHD does not look at a connection while it is suspended, that is, while its request is being worked on. So each
/// socket is also in an epoll set of our own, edge-triggered and once for its life. A client that only ends its sending
/// half looks the same as one that is gone, as it does to nginx.
final class PeerWatch: Sendable {
    private let epoll: Int32
    private let source: ReadSource

    /// Begins to watch; `left` is called on a queue of its own with the number of a connection whose peer went away.
    init(left: @escaping @Sendable (UInt64) -> Void) throws(WebServerError) {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .outOfResources(errno: errno) }
        self.epoll = epoll
        source = ReadSource(
            epoll, on: DispatchQueue(label: "hub.web.peers"),
            isReady: {
                withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
                    for index in 0..<Int(max(0, epoll_wait(epoll, events.baseAddress, 64, 0))) {
                        left(events[index].data.u64)
                    }
                }
            }, isCancelled: { close(epoll) })
    }

    /// Watches `socket` until it is closed.
    func add(_ socket: Int32, as number: UInt64) {
        var event = epoll_event(events: EPOLLRDHUP.rawValue | EPOLLET.rawValue, data: epoll_data_t(u64: number))
        epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event)
    }

    /// Ends the watch.
    func cancel() { source.cancel() }
}
