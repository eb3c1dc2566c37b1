import Glibc
import Hashing
import HubKit

/// The name by which other hubs know this machine.
enum MachineName {
    /// The first part of the host name, in the letters that a name may have.
    static var own: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "hub" }
        let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        let name = text.prefix { $0 != "." }.filter { character in
            character.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        }
        return name.isEmpty ? "hub" : String(name.prefix(32))
    }
}

/// The code by which a hub joins another, once.
enum JoinCode {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// A new code of 80 random bits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<16).map { _ in alphabet[Int(generator.next(upperBound: UInt32(32)))] }, as: UTF8.self)
    }

    /// Returns the form in which it is stored; letter case does not count.
    static func hash(_ code: String) throws -> [UInt8] { try SHA256.hash(code.lowercased().utf8) }
}
