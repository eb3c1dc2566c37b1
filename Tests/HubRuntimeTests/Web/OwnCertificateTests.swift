import Certificates
import HubKit
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// The certificates that hub makes for its servers.
@MainActor
struct OwnCertificateTests {
    private let test: TestHub
    private let hub: Hub
    private let certificates: OwnCertificates

    init() throws {
        test = try TestHub()
        hub = test.hub()
        certificates = OwnCertificates(hub)
    }

    @Test func `one authority serves all addresses of private networks, and a certificate is kept`() async throws {
        let first = try certificates.path(for: ["192.168.1.20"])
        let authority = try #require(certificates.authority)
        #expect(try certificates.path(for: ["192.168.1.20"]) == first)
        let other = try certificates.path(for: ["10.1.2.3", "nas.local"])
        #expect(other != first && certificates.authority == authority)
        #expect(Golden.read(certificates.authorityPath) == authority)
        for path in [first, other] {
            let text = Golden.read(path)
            #expect(text.hasSuffix(authority) && text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            #expect((818...820).contains(CertificateText.daysLeft(of: text) ?? 0))
            #expect(!OwnCertificates.isOver(path))
        }
        #expect(OwnCertificates.isOver(first + "x"))
        await hub.close()
    }

    @Test func `a certificate that ends soon, or is of another authority, is replaced`() async throws {
        let path = try certificates.path(for: ["192.168.1.20"])
        let authority = try CertificateAuthority(title: "other", hosts: [], days: 30)
        let short = try authority.issue(title: "other", for: ["192.168.1.20"], days: 40)
        let file = try AtomicFile(path: path)
        try file.write(Array((short.key + short.chain).utf8))
        try file.commit(isLasting: false)
        #expect(OwnCertificates.isOver(path))
        #expect(try certificates.path(for: ["192.168.1.20"]) == path)
        #expect(!OwnCertificates.isOver(path))
        await hub.close()
    }

    @Test func `what the authority was not made for needs another one`() async throws {
        _ = try certificates.path(for: ["203.0.113.5", "hub.example.org"])
        _ = try certificates.path(for: ["hub.example.org"])
        for host in ["203.0.113.6", "example.org", "172.32.0.1", "2001:db8::1"] {
            let error = #expect(throws: HubError.self) { try certificates.path(for: [host]) }
            #expect(error?.code == "other-authority" && error?.message.contains(host) == true)
        }
        await hub.close()
    }

    @Test(arguments: [
        ("10.0.0.1", true), ("172.16.0.1", true), ("172.15.0.1", false), ("192.168.9.9", true), ("100.127.0.1", true),
        ("100.128.0.1", false), ("fd12::1", true), ("fe80::1", true), ("2001:db8::1", false), ("box.local", true),
        ("local", false), ("nas.home.arpa", true), ("example.org", false),
    ])
    func `private hosts are told from public ones`(host: String, isPrivate: Bool) {
        #expect(PrivateHost.isOne(host) == isPrivate)
    }
}
