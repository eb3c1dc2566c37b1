import HubKit

/// The password of a device: 100 random bits, so that its hash needs no slow function.
enum DevicePassword {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// A new password in four groups of five, for people to type.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            String(
                decoding: (0..<5).map { _ in alphabet[Int(generator.next(upperBound: UInt32(32)))] }, as: UTF8.self)
        }.joined(separator: "-")
    }

    /// The password that a device gets by a code, the same each time: what it is given twice still holds.
    static func made(from code: String) throws(HubError) -> String {
        let bits = try WebSecret.hash("password of a device " + code)
        let letters = bits.prefix(20).map { alphabet[Int($0 & 31)] }
        return stride(from: 0, to: 20, by: 5).map { String(decoding: letters[$0..<$0 + 5], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// The hash of a password as typed: hyphens, spaces and letter case do not count.
    static func hash(_ password: String) throws(HubError) -> [UInt8] {
        let letters = password.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        return try WebSecret.hash(String(decoding: letters, as: UTF8.self).lowercased())
    }
}
