import Glibc

/// A port of the loopback interface for a server that cannot choose one by itself, or that comes back to the same one.
///
/// It lies below those that the system gives to outgoing connections: one of these could take the port before the server
/// does, and a look at a port where nobody listens could be connected to itself. As long as the value lives, no other test
/// gets the port, of this process or another: the port's name among the abstract sockets is taken.
package final class LoopbackPort: Sendable {
    package let number: UInt16
    private let reservation: Int32

    package init() throws {
        for _ in 0..<10_000 {
            let number = UInt16.random(in: 20_000..<30_000)
            guard let reservation = Self.reserve(number) else { continue }
            // Something else may listen there.
            guard Self.isFree(number) else {
                close(reservation)
                continue
            }
            self.number = number
            self.reservation = reservation
            return
        }
        throw TestProcessError.notStarted("a server, since no port is free", EADDRINUSE)
    }

    deinit { close(reservation) }

    /// Whether a connection to the port is accepted.
    package var isListening: Bool { withConnection { _ in true } ?? false }

    /// Calls `body` with a connection to the port; nil if none is accepted.
    package func withConnection<Result>(_ body: (Int32) -> Result) -> Result? {
        Self.withSocket { socket in Self.call(connect, socket, number) ? body(socket) : nil }
    }

    private static func isFree(_ port: UInt16) -> Bool { withSocket { call(bind, $0, port) } }

    private static func withSocket<Result>(_ body: (Int32) -> Result) -> Result {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        return body(socket)
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: Int32, _ port: UInt16
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Returns the socket that holds the name of the port, nil if another one does. `Tests/loopback.py` knows the name too.
    private static func reserve(_ port: UInt16) -> Int32? {
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array("\0hub-test-port-\(port)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        guard status == 0 else {
            close(socket)
            return nil
        }
        return socket
    }
}
