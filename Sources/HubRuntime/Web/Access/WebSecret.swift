import Digest

/// Random secrets and their hashes.
enum WebSecret {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// 130 random bits in 26 letters and digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<26).map { _ in alphabet[Int(generator.next(upperBound: UInt32(32)))] }, as: UTF8.self)
    }

    /// Returns the stored form of a secret.
    static func hash(_ secret: String) -> [UInt8] { SHA256.hash(secret.utf8) }

    /// Compares in a time that does not depend on where they differ.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
