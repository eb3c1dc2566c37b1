import DNS
import Dispatch
import Glibc
import Testing

/// The resolver against a name server that a test plays, on UDP of the loopback interface.
struct DNSResolverTests {
    @Test func `services come in the order to try them`() async throws {
        let server = try NameServer { question in
            let far: [UInt8] = [0, 20, 0, 0, 0x01, 0xBB, 3] + Array("far".utf8) + [0]
            let near: [UInt8] = [0, 10, 0, 0, 0x20, 0xFB, 4] + Array("near".utf8) + [0]
            return NameServer.answer(question, records: [(33, far), (33, near)])
        }
        let resolver = DNSResolver(server: server.address)
        let found = try await resolver.services("_carddavs._tcp.example.org")
        #expect(found.map(\.target) == ["near", "far"])
        #expect(found.map(\.port) == [8443, 443])
    }

    @Test func `a domain that says it has no such service has none`() async throws {
        let server = try NameServer { NameServer.answer($0, records: [(33, [0, 0, 0, 0, 0, 0, 0])]) }
        #expect(try await DNSResolver(server: server.address).services("_carddav._tcp.example.org") == [])
    }

    @Test func `no record is no error, no name is one`() async throws {
        let empty = try NameServer { NameServer.answer($0, records: []) }
        #expect(try await DNSResolver(server: empty.address).texts("a.example.org") == [])
        let absent = try NameServer { NameServer.answer($0, records: [], code: 3) }
        await #expect(throws: DNSError.noSuchName) {
            try await DNSResolver(server: absent.address).texts("b.example.org")
        }
    }

    @Test func `a name that cannot be one is not asked for`() async {
        for name in ["", "a b", "ä.org", String(repeating: "a.", count: 200)] {
            await #expect(throws: DNSError.malformed) { try await DNSResolver().texts(name) }
        }
    }
}

/// Answers each datagram once with what a script makes of it.
final class NameServer: Sendable {
    let address: DNSResolver.Server
    private let socket: Int32

    init(_ script: @escaping @Sendable ([UInt8]) -> [UInt8]) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) | getsockname(socket, $0, &length)
            }
        }
        try #require(status == 0)
        self.socket = socket
        address = DNSResolver.Server(address: "127.0.0.1", port: UInt16(bigEndian: place.sin_port))
        DispatchQueue(label: "test.dns").async {
            var buffer = [UInt8](repeating: 0, count: 2048)
            while true {
                var peer = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let keepsOn = withUnsafeMutablePointer(to: &peer) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
                        let count = recvfrom(socket, &buffer, buffer.count, 0, peer, &length)
                        guard count > 0 else { return false }
                        let answer = script(Array(buffer.prefix(count)))
                        return sendto(socket, answer, answer.count, 0, peer, length) == answer.count
                    }
                }
                if !keepsOn { return }
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    /// An answer with the question's id and name and the given records; only the first question is kept.
    static func answer(_ question: [UInt8], records: [(type: UInt8, data: [UInt8])], code: UInt8 = 0) -> [UInt8] {
        let end = (question[12...].firstIndex(of: 0) ?? 12) + 5
        var bytes = Array(question[0..<2]) + [0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        bytes += question[12..<end]
        for record in records {
            bytes += [0xC0, 12, 0, record.type, 0, 1, 0, 0, 0, 60, 0, UInt8(record.data.count)] + record.data
        }
        return bytes
    }
}
