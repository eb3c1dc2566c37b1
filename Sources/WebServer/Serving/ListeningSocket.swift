import Glibc

/// A TCP socket that listens until it is given up, or the server that was made on it stops.
package struct ListeningSocket: ~Copyable, Sendable {
    private let descriptor: Descriptor
    /// The address with the port that the kernel gave.
    package let address: SocketAddress

    /// Listens on `address`. Connections inherit the keep-alive settings, so that a peer which vanished without a word
    /// (a phone out of reach) is noticed in about a minute, also on a stream that is silent by itself.
    package init(_ address: SocketAddress) throws(WebServerError) {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw .cannotListen(address, errno: errno) }
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        set(SOL_SOCKET, SO_REUSEADDR, 1)
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30)
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
        if address.isIPv6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard address.withSockaddr({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let code = errno
            close(descriptor)
            throw .cannotListen(address, errno: code)
        }
        self.descriptor = Descriptor(descriptor)
        self.address = ListeningSocket.named(descriptor, as: address)
    }

    private init(_ descriptor: consuming Descriptor, _ address: SocketAddress) {
        self.descriptor = descriptor
        self.address = address
    }

    /// Returns another handle of the socket, which listens until both are closed.
    func copy() throws(WebServerError) -> ListeningSocket {
        let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .outOfResources(errno: errno) }
        return ListeningSocket(Descriptor(copy), address)
    }

    /// Transfers the descriptor to the caller, which closes it.
    consuming func release() -> Int32 { descriptor.release() }

    private static func named(_ descriptor: Int32, as address: SocketAddress) -> SocketAddress {
        // The port is at the same offset in both families, and the larger one has room for either.
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        var address = address
        address.port = UInt16(bigEndian: name.sin6_port)
        return address
    }
}

/// A descriptor that is closed when it is let go.
///
/// It is not private: an optimised build of another module destroys a ``ListeningSocket`` by way of this type's metadata,
/// and cannot link to that of a private type.
struct Descriptor: ~Copyable {
    fileprivate let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
