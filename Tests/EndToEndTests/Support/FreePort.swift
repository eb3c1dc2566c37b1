import Glibc
import System

/// Free TCP ports of the loopback interface.
enum FreePort {
    /// A port that was free a moment ago.
    static func next() throws(SystemError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard descriptor >= 0, status == 0 else { throw SystemError("bind 127.0.0.1") }
        return UInt16(bigEndian: address.sin_port)
    }
}
