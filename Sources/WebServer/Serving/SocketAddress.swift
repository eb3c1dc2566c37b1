import Glibc

/// A numeric IP address and a TCP port.
package struct SocketAddress: Hashable, Sendable {
    /// The address in its canonical text form, such as `127.0.0.1` or `::1`, without brackets.
    package let host: String
    /// The port; 0 lets the kernel choose when listening.
    package var port: UInt16

    /// Creates an address from its text form; nil when `host` is not a numeric IPv4 or IPv6 address.
    package init?(host: String, port: UInt16) {
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if inet_pton(AF_INET, host, &ipv4) == 1 {
            self.host = host
        } else if inet_pton(AF_INET6, host, &ipv6) == 1 {
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &ipv6, &buffer, socklen_t(INET6_ADDRSTRLEN))
            self.host = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        } else {
            return nil
        }
        self.port = port
    }

    private init(canonical host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `127.0.0.1`, which only this machine reaches.
    package static func loopback(port: UInt16) -> SocketAddress { SocketAddress(canonical: "127.0.0.1", port: port) }

    /// Reads `127.0.0.1:4820` or `[::1]:4820`.
    package init(_ text: String) throws(WebServerError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .malformedAddress(text)
        }
        var host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]"
        if isBracketed { host = host.dropFirst().dropLast() }
        guard let address = SocketAddress(host: String(host), port: port), address.isIPv6 == isBracketed else {
            throw .malformedAddress(text)
        }
        self = address
    }

    /// Creates the address of the other end of a connected socket; nil when there is none any more. An IPv4 address in IPv6
    /// form is given as IPv4.
    init?(peerOf socket: Int32) {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) }
        }
        guard status == 0 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isIPv6 = address.sin6_family == sa_family_t(AF_INET6)
        let isRead = withUnsafePointer(to: &address) { pointer in
            if isIPv6 {
                var host = pointer.pointee.sin6_addr
                return inet_ntop(AF_INET6, &host, &text, socklen_t(text.count)) != nil
            }
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                var host = pointer.pointee.sin_addr
                return inet_ntop(AF_INET, &host, &text, socklen_t(text.count)) != nil
            }
        }
        guard isRead else { return nil }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let mapped = "::ffff:"
        self.init(
            canonical: host.hasPrefix(mapped) && host.contains(".") ? String(host.dropFirst(mapped.count)) : host,
            port: UInt16(bigEndian: address.sin6_port))
    }

    /// Whether the address is one of IPv6.
    package var isIPv6: Bool { host.contains(":") }

    /// Whether the address stands for all addresses of the machine.
    package var isAny: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether only this machine reaches the address.
    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Calls `body` with the address as the socket calls take it.
    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `host:port`, with an IPv6 address in brackets.
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
