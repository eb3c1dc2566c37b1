import Certificates
import Testing

struct SelfSignedCertificateTests {
    @Test(arguments: ["127.0.0.1", "192.168.1.20", "::1"])
    func `a certificate and its key are PEM, and have one fingerprint`(address: String) throws {
        let made = try SelfSignedCertificate(address: address, days: 30)
        #expect(made.chain.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(made.key.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let fingerprint = try #require(SelfSignedCertificate.fingerprint(of: made.chain))
        #expect(fingerprint.count == 32)
        #expect(SelfSignedCertificate.fingerprint(of: made.chain + made.chain) == fingerprint)
        let other = try SelfSignedCertificate(address: address, days: 30)
        #expect(SelfSignedCertificate.fingerprint(of: other.chain) != fingerprint)
    }

    @Test(arguments: ["", "not an address", "1.2.3", "127.0.0.1,DNS:evil.example"])
    func `what is no address gets no certificate`(address: String) {
        #expect(throws: SelfSignedCertificate.Failure.refused) { try SelfSignedCertificate(address: address, days: 30) }
    }

    @Test(arguments: ["", "text", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `what is no certificate has no fingerprint`(text: String) {
        #expect(SelfSignedCertificate.fingerprint(of: text) == nil)
    }
}
