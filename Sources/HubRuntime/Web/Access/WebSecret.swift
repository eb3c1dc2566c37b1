import Hashing
import System

/// Random secrets and their hashes.
enum WebSecret {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// 130 random bits in 26 letters and digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<26).map { _ in alphabet[Int(generator.next(upperBound: UInt32(32)))] }, as: UTF8.self)
    }

    /// Returns the SHA-256 of a text: the stored form of a secret, or the digest of a script.
    static func hash(_ secret: String) throws(HubError) -> [UInt8] { try hash(bytes: Array(secret.utf8)) }

    /// Returns the SHA-256 of bytes.
    static func hash(bytes: [UInt8]) throws(HubError) -> [UInt8] {
        do {
            return try SHA256.hash(bytes)
        } catch .libraryMissing(let text) {
            throw HubError(
                .unavailable, code: "library-missing", "logging in needs libcrypto", details: [text],
                hint: "apt install libssl3")
        } catch {
            throw HubError(.internal, code: "hashing-failed", "libcrypto cannot compute a hash")
        }
    }

    /// Compares in a time that does not depend on where they differ.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
