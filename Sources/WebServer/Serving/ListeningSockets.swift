import Synchronization

/// The listening sockets of a process whose servers start again: connections that come in between wait for the next server on their
/// address, instead of being refused.
package final class ListeningSockets: Sendable {
    /// A socket that is handed out as copies.
    private final class Kept: Sendable {
        let socket: ListeningSocket

        init(_ address: SocketAddress) throws(WebServerError) { socket = try ListeningSocket(address) }
    }

    private let kept = Mutex<[SocketAddress: Kept]>([:])

    package init() {}

    /// Returns a socket that listens on `address`, with all that waits there. Port 0 stands for the same port each time.
    package func socket(on address: SocketAddress) throws(WebServerError) -> ListeningSocket {
        try kept.withLock { kept throws(WebServerError) in
            if let known = kept[address] { return try known.socket.copy() }
            let new = try Kept(address)
            kept[address] = new
            return try new.socket.copy()
        }
    }

    /// Gives up the sockets on other addresses; what waits there is refused when their servers stop.
    package func keep(only addresses: Set<SocketAddress>) {
        kept.withLock { kept in kept = kept.filter { addresses.contains($0.key) } }
    }
}
