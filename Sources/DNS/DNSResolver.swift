import CDNS
import Dispatch

/// Queries the domain name system for service records without blocking the caller's thread.
package struct DNSResolver: Sendable {
    /// One server, by IPv4 address and port.
    package struct Server: Hashable, Sendable {
        /// An IPv4 or IPv6 address in numeric form.
        package var address: String
        /// The UDP and TCP port, normally 53.
        package var port: UInt16

        package init(address: String, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    private let server: Server?
    private let tries: Int

    /// Asks the servers that this machine is set to, or `server` alone; each at most `tries` times, a second apart.
    package init(server: Server? = nil, tries: Int = 2) {
        self.server = server
        self.tries = tries
    }

    /// The servers of `service` (such as `_carddavs._tcp.example.org`) in the order to try them; none when the domain
    /// has no such record or says that it offers no such service.
    package func services(_ service: String) async throws(DNSError) -> [ServiceRecord] {
        let records = try await ask(service, .service).compactMap { record -> ServiceRecord? in
            guard case .service(let service) = record, !service.target.isEmpty else { return nil }
            return service
        }
        return ServiceRecord.inOrder(records)
    }

    /// The strings of all TXT records of `name`; none when it has no such record.
    package func texts(_ name: String) async throws(DNSError) -> [String] {
        try await ask(name, .text).flatMap { record -> [String] in
            guard case .text(let strings) = record else { return [] }
            return strings
        }
    }

    private func ask(_ name: String, _ type: RecordType) async throws(DNSError) -> [DNSMessage.Record] {
        guard !name.isEmpty, name.utf8.count <= 253, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformed
        }
        return try await withCheckedContinuation { (answered: CheckedContinuation<Result<_, DNSError>, Never>) in
            // A queue of its own, for the resolver waits in its call.
            DispatchQueue(label: "hub.dns").async {
                answered.resume(returning: Result { () throws(DNSError) in try query(name, type) })
            }
        }.get()
    }

    private func query(_ name: String, _ type: RecordType) throws(DNSError) -> [DNSMessage.Record] {
        var answer = [UInt8](repeating: 0, count: 1 << 16)
        let size = cdns_query(
            name, UInt16(type.rawValue), server?.address, server?.port ?? 0, 1, Int32(tries), &answer, answer.count)
        switch size {
        case 0...:
            guard let message = DNSMessage(Array(answer.prefix(Int(size)))) else { throw .malformed }
            return message.answers
        case -1: throw .noSuchName
        case -3: return []
        case -4: throw .refused
        default: throw .unreachable
        }
    }
}
