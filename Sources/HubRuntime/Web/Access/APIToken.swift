import Hashing
import HubKit

/// A token of the HTTP API as its program has it: `hub_`, 130 random bits, and six letters that tell a typing error.
enum APIToken {
    private static let start = "hub_"
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// A new token.
    static func make() -> String {
        let secret = start + WebSecret.make()
        return secret + check(secret)
    }

    /// The hash of what a request has for a token; nil if that cannot be one.
    static func hash(_ text: String) throws(HubError) -> [UInt8]? {
        guard text.utf8.count == 36, text.hasPrefix(start), text.hasSuffix(check(String(text.dropLast(6)))) else {
            return nil
        }
        return try WebSecret.hash(text)
    }

    /// Thirty bits of the checksum.
    private static func check(_ secret: String) -> String {
        let sum = CRC32.hash(secret.utf8)
        return String(decoding: (0..<6).map { alphabet[Int(sum >> UInt32(25 - 5 * $0) & 31)] }, as: UTF8.self)
    }
}
