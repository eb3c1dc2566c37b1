import Certificates
import Testing

struct CertificateAuthorityTests {
    @Test(arguments: [["127.0.0.1"], ["192.168.1.20", "box.local"], ["::1"], ["hub.example.org"]])
    func `a certificate and its key are PEM, and have one fingerprint`(hosts: [String]) throws {
        let authority = try CertificateAuthority(title: "hub", hosts: hosts, days: 3650)
        let made = try authority.issue(title: "hub", for: hosts, days: 30)
        #expect(made.chain.hasPrefix("-----BEGIN CERTIFICATE-----\n") && made.chain.hasSuffix(authority.certificate))
        #expect(made.key.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let fingerprint = try #require(CertificateText.fingerprint(of: made.chain))
        #expect(fingerprint.count == 32)
        #expect(CertificateText.fingerprint(of: authority.certificate) != fingerprint)
        let again = CertificateAuthority(certificate: authority.certificate, key: authority.key)
        let other = try again.issue(title: "hub", for: hosts, days: 0)
        #expect(CertificateText.fingerprint(of: other.chain) != fingerprint)
        #expect([29, 30].contains(CertificateText.daysLeft(of: made.chain)))
        #expect(CertificateText.daysLeft(of: other.chain) == 0)
    }

    @Test(arguments: ["", "not a host", "1.2.3", "127.0.0.1,DNS:evil.example", "a_b", "1::2::3"])
    func `what is no host gets no certificate`(host: String) throws {
        let authority = try CertificateAuthority(title: "hub", hosts: [], days: 30)
        #expect(throws: CertificateFailure.refused) { try authority.issue(title: "hub", for: [host], days: 30) }
        #expect(throws: CertificateFailure.refused) { try CertificateAuthority(title: "hub", hosts: [host], days: 30) }
    }

    @Test func `without a key nothing is issued`() throws {
        let authority = try CertificateAuthority(title: "hub", hosts: [], days: 30)
        for (certificate, key) in [("", ""), (authority.certificate, ""), ("", authority.key)] {
            let half = CertificateAuthority(certificate: certificate, key: key)
            #expect(throws: CertificateFailure.refused) { try half.issue(title: "hub", for: ["10.0.0.1"], days: 30) }
        }
    }

    @Test(arguments: ["", "text", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `what is no certificate has no fingerprint and no end`(text: String) {
        #expect(CertificateText.fingerprint(of: text) == nil)
        #expect(CertificateText.daysLeft(of: text) == nil)
    }
}
