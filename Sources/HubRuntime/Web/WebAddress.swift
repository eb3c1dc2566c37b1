import Commands
import Glibc
import WebServer

/// The address of the page.
enum WebAddress {
    /// The address of the config file, `127.0.0.1:4820` unless set.
    static func configured(_ hub: Hub) throws -> SocketAddress {
        let text = try hub.configuration().core[HubKeys.webAddress]
        do {
            return try SocketAddress(text)
        } catch {
            throw HubError(listening: error)
        }
    }

    /// The host and port by which other devices call the page: the first of `hub.web.names`, else its address.
    static func host(_ hub: Hub, at address: SocketAddress? = nil) throws -> String {
        let address = try address ?? configured(hub)
        guard let name = try hub.configuration().core[HubKeys.webNames].first else { return "\(address)" }
        // On an address of this machine alone, the name is that of a proxy, which encrypts.
        return address.isLoopback || address.port == 443 ? name : "\(name):\(address.port)"
    }

    /// The address of this machine in a private network, by which a phone in it reaches the machine; nil without one.
    static func ofThisMachine() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0 else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            // Addresses of other families are longer, and refused.
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            let name = String(cString: entry.ifa_name)
            let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Containers have networks of their own, in which there is no phone.
            if PrivateHost.isOne(host), !["docker", "br-", "veth", "virbr"].contains(where: name.hasPrefix) {
                found.append(host)
            }
        }
        // A network at home comes before that of a VPN.
        return found.first { $0.hasPrefix("192.168.") } ?? found.first
    }
}
