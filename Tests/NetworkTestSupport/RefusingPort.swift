import Glibc

/// A port of the loopback interface on which nobody listens, and which no other server gets while this is held.
package final class RefusingPort: Sendable {
    package let port: UInt16
    private let socket: Int32

    package init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { [socket] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) | getsockname(socket, address, &length)
            }
        }
        guard status == 0 else { throw TestProcessError.notStarted("a bound socket", errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }
}
