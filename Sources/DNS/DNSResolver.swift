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

/// An error of a query to the domain name system.
package enum DNSError: Error, Hashable, Sendable {
    /// No such name exists.
    case noSuchName
    /// No server answered in time.
    case unreachable
    /// The servers refused.
    case refused
    /// The name cannot be asked for, or the answer breaks RFC 1035.
    case malformed
}

extension DNSError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .noSuchName: "the domain does not exist"
        case .unreachable: "no name server answered"
        case .refused: "the name server refused to answer"
        case .malformed: "the response of the name server is invalid"
        }
    }
}

/// The host and port at which a domain offers a service (RFC 2782).
package struct ServiceRecord: Hashable, Sendable {
    /// Lower is tried first.
    package var priority: Int
    /// Among equal priorities, how large a share of clients this server should get.
    package var weight: Int
    /// The TCP port of the service.
    package var port: Int
    /// The server's host name; empty when the domain says that it does not offer the service.
    package var target: String

    package init(priority: Int, weight: Int, port: Int, target: String) {
        self.priority = priority
        self.weight = weight
        self.port = port
        self.target = target
    }
}

extension ServiceRecord {
    /// Returns `records` in the order in which to try them: by priority, then by descending weight. RFC 2782 spreads
    /// load at random; a single user's client does not need that and is easier to debug when it is deterministic.
    package static func inOrder(_ records: [ServiceRecord]) -> [ServiceRecord] {
        records.sorted { ($0.priority, -$0.weight, $0.target) < ($1.priority, -$1.weight, $1.target) }
    }
}
