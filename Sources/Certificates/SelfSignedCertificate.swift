import CCrypto

/// A certificate that a server makes for itself, with its key. A client cannot know it from another one but by its
/// fingerprint, which a person compares.
package struct SelfSignedCertificate: Sendable {
    /// Why there is no certificate.
    package enum Failure: Error, Equatable {
        /// libcrypto cannot be loaded, with the loader's words.
        case libraryMissing(String)
        /// libcrypto refused: the address is not a numeric one, or there is no memory.
        case refused
    }

    /// The certificate, as PEM.
    package let chain: String
    /// The key on the curve P-256, as PEM.
    package let key: String

    /// Makes a certificate for a server at the numeric address `address` that is valid for `days` days.
    package init(address: String, days: Int) throws(Failure) {
        // libcrypto reads a list of names here.
        guard address.utf8.allSatisfy({ "0123456789abcdefABCDEF.:".utf8.contains($0) }) else { throw .refused }
        if let reason = ccrypto_load_certificates() { throw .libraryMissing(String(cString: reason)) }
        var (chain, key) = ([CChar](repeating: 0, count: 8192), [CChar](repeating: 0, count: 8192))
        let serial = UInt64.random(in: 1...(UInt64.max >> 1))
        let isMade = ccrypto_self_signed(
            "IP:" + address, Int32(days), serial, &chain, chain.count, &key, key.count)
        guard isMade else { throw .refused }
        self.chain = Self.text(chain)
        self.key = Self.text(key)
    }

    /// Returns the SHA-256 of the first certificate in a PEM text; nil when there is none.
    package static func fingerprint(of chain: String) -> [UInt8]? {
        guard ccrypto_load_certificates() == nil else { return nil }
        var isFound = false
        var text = chain
        let hash = text.withUTF8 { bytes in
            [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
                bytes.withMemoryRebound(to: CChar.self) { chars in
                    isFound = ccrypto_fingerprint(chars.baseAddress, chars.count, buffer.baseAddress)
                }
                count = isFound ? 32 : 0
            }
        }
        return isFound ? hash : nil
    }

    private static func text(_ chars: [CChar]) -> String {
        String(decoding: chars.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
