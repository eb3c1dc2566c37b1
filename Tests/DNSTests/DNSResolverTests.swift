import DNS
import NetworkTestSupport
import Testing

/// The resolver against a name server that a test plays, on UDP of the loopback interface.
struct DNSResolverTests {
    @Test func `services come in the order to try them`() async throws {
        let server = try NameServer { question in
            let far: [UInt8] = [0, 20, 0, 0, 0x01, 0xBB, 3] + Array("far".utf8) + [0]
            let near: [UInt8] = [0, 10, 0, 0, 0x20, 0xFB, 4] + Array("near".utf8) + [0]
            return NameServer.answer(question, records: [(33, far), (33, near)])
        }
        let resolver = DNSResolver(server: .init(address: "127.0.0.1", port: server.port))
        let found = try await resolver.services("_carddavs._tcp.example.org")
        #expect(found.map(\.target) == ["near", "far"])
        #expect(found.map(\.port) == [8443, 443])
    }

    @Test func `a domain that says it has no such service has none`() async throws {
        let server = try NameServer { NameServer.answer($0, records: [(33, [0, 0, 0, 0, 0, 0, 0])]) }
        #expect(
            try await DNSResolver(server: .init(address: "127.0.0.1", port: server.port)).services(
                "_carddav._tcp.example.org") == [])
    }

    @Test func `no record is no error, no name is one`() async throws {
        let empty = try NameServer { NameServer.answer($0, records: []) }
        #expect(
            try await DNSResolver(server: .init(address: "127.0.0.1", port: empty.port)).texts("a.example.org") == [])
        let absent = try NameServer { NameServer.answer($0, records: [], code: 3) }
        await #expect(throws: DNSError.noSuchName) {
            try await DNSResolver(server: .init(address: "127.0.0.1", port: absent.port)).texts("b.example.org")
        }
    }

    @Test func `a name that cannot be one is not asked for`() async {
        for name in ["", "a b", "ä.org", String(repeating: "a.", count: 200)] {
            await #expect(throws: DNSError.malformed) { try await DNSResolver().texts(name) }
        }
    }
}
