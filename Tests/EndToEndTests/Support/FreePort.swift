import Glibc
import Synchronization
import System

/// Free TCP ports of the loopback interface.
///
/// They are below those that the system gives to connections by itself: a client that dials a server while it is away would get the very
/// port that it dials now and then, be connected to itself, and keep the server from it.
enum FreePort {
    private static let (first, count) = (16_384, 16_384)
    /// The number of those that were tried; each process begins elsewhere.
    private static let tried = Mutex(Int(getpid()) * 499)

    /// A port that was free a moment ago, and that no one else in this process gets.
    static func next() throws(SystemError) -> UInt16 {
        for _ in 0..<count {
            let number = tried.withLock { tried in
                tried += 1
                return tried
            }
            let port = UInt16(first + number % count)
            if try isFree(port) { return port }
        }
        throw SystemError("bind 127.0.0.1")
    }

    private static func isFree(_ port: UInt16) throws(SystemError) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
