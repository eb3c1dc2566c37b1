import CCrypto

/// An authority of one's own: devices that trust its certificate trust the servers that it names, and no others.
///
/// It can name only the hosts that it was made for and the addresses of private networks, so that who gets hold of its key cannot
/// pretend to be a bank.
package struct CertificateAuthority: Sendable {
    /// The certificate, as PEM.
    package let certificate: String
    /// The key on the curve P-256, as PEM.
    package let key: String

    /// Takes an authority that was made before.
    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

    /// Makes an authority for `hosts`, numeric addresses or names, which people see as `title`.
    package init(title: String, hosts: [String], days: Int) throws(CertificateFailure) {
        let ranges =
            Self.privateRanges + (try hosts.map { host throws(CertificateFailure) in try HostName(host).constraint })
        let made = try IssuedCertificate(
            title: title, days: days,
            [
                (ccrypto_constraints, "critical,CA:TRUE,pathlen:0"), (ccrypto_key_usage, "critical,keyCertSign"),
                (ccrypto_name_constraints, "critical," + ranges.map { "permitted;" + $0 }.joined(separator: ",")),
                (ccrypto_subject_key, "hash"),
            ])
        (certificate, key) = (made.chain, made.key)
    }

    /// Makes a certificate for a server that is reached by `hosts`. Those that the authority was not made for make it worthless.
    package func issue(title: String, for hosts: [String], days: Int) throws(CertificateFailure) -> IssuedCertificate {
        let names = try hosts.map { host throws(CertificateFailure) in try HostName(host).alternative }
        let made = try IssuedCertificate(
            title: title, days: days,
            [
                (ccrypto_names, names.joined(separator: ",")), (ccrypto_constraints, "critical,CA:FALSE"),
                (ccrypto_key_usage, "critical,digitalSignature"), (ccrypto_extended_usage, "serverAuth"),
                (ccrypto_subject_key, "hash"), (ccrypto_authority_key, "keyid"),
            ], by: self)
        return IssuedCertificate(chain: made.chain + certificate, key: made.key)
    }

    /// The addresses of private networks (RFC 1918, RFC 6598, RFC 4193) and of a link (RFC 4291), and the names of a network at home
    /// (RFC 6762, RFC 8375).
    private static let privateRanges = [
        "IP:10.0.0.0/255.0.0.0", "IP:172.16.0.0/255.240.0.0", "IP:192.168.0.0/255.255.0.0", "IP:100.64.0.0/255.192.0.0",
        "IP:fd00::/ff00::", "IP:fe80::/ffc0::", "DNS:local", "DNS:home.arpa",
    ]
}

/// A certificate with its key.
package struct IssuedCertificate: Sendable {
    /// The certificate, and those that lead to its issuer, as PEM.
    package let chain: String
    /// The key on the curve P-256, as PEM.
    package let key: String

    fileprivate init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }

    /// Makes a certificate by `issuer`; without one it signs itself.
    fileprivate init(
        title: String, days: Int, _ extensions: [(kind: Int32, value: String)], by issuer: CertificateAuthority? = nil
    ) throws(CertificateFailure) {
        if let reason = ccrypto_load_certificates() { throw .libraryMissing(String(cString: reason)) }
        var (chain, key) = ([CChar](repeating: 0, count: 16_384), [CChar](repeating: 0, count: 8192))
        let isMade = CStrings.with([title, issuer?.certificate, issuer?.key] + extensions.map(\.value)) { texts in
            let list = zip(extensions, texts.dropFirst(3)).map { ccrypto_extension(kind: $0.kind, value: $1) }
            return (list + [ccrypto_extension(kind: 0, value: nil)]).withUnsafeBufferPointer { list in
                var request = ccrypto_request(
                    title: texts[0], days: Int32(days), serial: UInt64.random(in: 1...(UInt64.max >> 1)),
                    extensions: list.baseAddress, issuer: texts[1], issuer_key: texts[2])
                return ccrypto_issue(&request, &chain, chain.count, &key, key.count)
            }
        }
        guard isMade else { throw .refused }
        self.init(chain: Self.text(chain), key: Self.text(key))
    }

    private static func text(_ chars: [CChar]) -> String {
        String(decoding: chars.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Why there is no certificate.
package enum CertificateFailure: Error, Equatable {
    /// libcrypto cannot be loaded, with the loader's words.
    case libraryMissing(String)
    /// libcrypto refused: a host is neither an address nor a name, the issuer is none, or there is no memory.
    case refused
}

/// What a PEM text tells about its first certificate.
package enum CertificateText {
    /// Returns the SHA-256; nil when there is no certificate.
    package static func fingerprint(of chain: String) -> [UInt8]? {
        var isFound = false
        let hash = withChars(chain) { chars, count in
            [UInt8](unsafeUninitializedCapacity: 32) { buffer, size in
                isFound = ccrypto_fingerprint(chars, count, buffer.baseAddress)
                size = isFound ? 32 : 0
            }
        }
        return isFound ? hash : nil
    }

    /// Returns the days until it ends, none or fewer if it has ended; nil when there is no certificate.
    package static func daysLeft(of chain: String) -> Int? {
        var days: Int32 = 0
        return withChars(chain) { ccrypto_days_left($0, $1, &days) } == true ? Int(days) : nil
    }

    private static func withChars<T>(_ text: String, _ body: (UnsafePointer<CChar>?, Int) -> T) -> T? {
        guard ccrypto_load_certificates() == nil else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) }
        }
    }
}

/// A host in the words of OpenSSL, which reads lists of them: nothing but names and addresses may get there.
private struct HostName {
    private let text: String
    private let isAddress: Bool

    init(_ text: String) throws(CertificateFailure) {
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
        let allowed =
            isIPv6 ? "0123456789abcdefABCDEF:." : "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-."
        guard !text.isEmpty, text.utf8.count <= 253, text.utf8.allSatisfy(allowed.utf8.contains) else { throw .refused }
        self.text = text
        isAddress = isIPv6 || text.utf8.allSatisfy("0123456789.".utf8.contains)
    }

    /// The entry of a server's certificate.
    var alternative: String { (isAddress ? "IP:" : "DNS:") + text }

    /// The entry of an authority's certificate.
    var constraint: String {
        guard isAddress else { return alternative }
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
        return alternative + (isIPv6 ? "/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "/255.255.255.255")
    }
}

/// Texts as C takes them.
private enum CStrings {
    static func with<T>(_ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
        func next(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> T {
            if index == texts.count { return body(pointers) }
            guard let text = texts[index] else { return next(index + 1, pointers + [nil]) }
            return text.withCString { next(index + 1, pointers + [$0]) }
        }
        return next(0, [])
    }
}
