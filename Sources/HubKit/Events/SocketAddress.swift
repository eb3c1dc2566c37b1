import Glibc

/// The address of a socket in a folder. A path that is too long for `sun_path` (108 bytes) is written through the
/// folder's open descriptor instead, which Linux resolves under `/proc/self/fd`.
struct SocketAddress {
    private var address = sockaddr_un()

    /// Nil when even the short form does not fit. The descriptor must stay open while the address is used.
    init?(directory: String, descriptor: Int32, name: String) {
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        let direct = "\(directory)/\(name)"
        let text = direct.utf8.count <= room ? direct : "/proc/self/fd/\(descriptor)/\(name)"
        guard text.utf8.count <= room else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
    }

    /// Calls `body` with the address as the socket calls take it.
    func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
