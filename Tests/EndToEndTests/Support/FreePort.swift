import Glibc
import System

/// Free TCP ports of the loopback interface.
///
/// They are below those that the system gives to connections by itself: a client that dials a server while it is away would get the very
/// port that it dials now and then, be connected to itself, and keep the server from it.
enum FreePort {
    private static let range = 16_384..<32_768 as Range<UInt16>

    /// A port that was free a moment ago.
    static func next() throws(SystemError) -> UInt16 {
        for port in range.shuffled().prefix(100) where try isFree(port) { return port }
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
