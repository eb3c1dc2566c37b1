/// The SHA-256 of a trusted server certificate: `AB:CD:…`, as openssl and browsers show it.
package struct CertificateFingerprint: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hexadecimal digits, with colons or blanks between them or without, and perhaps `SHA256:` before them.
    package init?(_ text: String) {
        var digits = text.lowercased()[...]
        for prefix in ["sha-256", "sha256"] where digits.hasPrefix(prefix) {
            digits = digits.dropFirst(prefix.count)
            break
        }
        var (bytes, high): ([UInt8], UInt8?) = ([], nil)
        for character in digits where !": \t=".contains(character) {
            guard character.isASCII, let value = character.hexDigitValue.map(UInt8.init) else { return nil }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        guard high == nil else { return nil }
        self.init(bytes: bytes)
    }
}

extension CertificateFingerprint: CustomStringConvertible {
    /// The hexadecimal digits in pairs, separated by colons.
    package var description: String {
        let digits = Array("0123456789ABCDEF")
        return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }
}
