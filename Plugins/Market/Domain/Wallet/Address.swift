import Hashing

/// An address of an Ethereum account: 20 bytes, written as 40 hexadecimal digits after `0x`. Its spelling in upper and lower
/// case is a checksum (EIP-55); equality does not depend on it.
package struct Address: Hashable, Sendable {
    /// The reason why a text is not an address.
    package enum Problem: Error, Hashable, Sendable {
        /// It is not `0x` and 40 hexadecimal digits.
        case malformed
        /// Its letters are of both cases, and they are not the checksum.
        case wrongChecksum
        /// It has no checksum, and one is required.
        case noChecksum
    }

    /// The spellings that are accepted.
    package enum ChecksumPolicy: Sendable {
        /// Letters of one case carry no checksum and are accepted; mixed ones must be right.
        case ifPresent
        /// The spelling must be the checksum itself.
        case required
        /// Any spelling.
        case ignored
    }

    /// The 40 digits in lower case.
    package let digits: String

    /// Parses an address.
    package init(_ text: some StringProtocol, checksum: ChecksumPolicy = .ifPresent) throws(Problem) {
        let bytes = Array(text.utf8)
        guard bytes.count == 42, bytes[0] == UInt8(ascii: "0"), bytes[1] | 0x20 == UInt8(ascii: "x"),
            bytes[2...].allSatisfy({ Address.isHexadecimal($0) })
        else { throw .malformed }
        let given = String(decoding: bytes[2...], as: UTF8.self)
        digits = given.lowercased()
        guard checksum != .ignored, Address.checksummed(digits) != given else { return }
        let isMixed = given != digits && given != given.uppercased()
        if isMixed { throw .wrongChecksum }
        if checksum == .required { throw .noChecksum }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    /// The zero address, which stands for the native coin.
    package static let zero = Address(known: String(repeating: "0", count: 40))

    private init(known digits: String) { self.digits = digits }

    /// Whether it is the zero address.
    package var isZero: Bool { self == .zero }

    /// The address with its checksum (EIP-55): a letter is upper case where the hash of the digits has 8 or more.
    package var checksummed: String { "0x" + Address.checksummed(digits) }

    private static func checksummed(_ digits: String) -> String {
        let hash = Keccak256.hash(digits.utf8)
        let spelled = digits.utf8.enumerated().map { index, byte in
            let nibble = index.isMultiple(of: 2) ? hash[index / 2] >> 4 : hash[index / 2] & 15
            return byte >= 0x61 && nibble >= 8 ? byte - 0x20 : byte
        }
        return String(decoding: spelled, as: UTF8.self)
    }

    /// The beginning and the end, to distinguish addresses: `0x5aAe…Aed`.
    package var shortened: String { checksummed.prefix(6) + "…" + checksummed.suffix(3) }
}

extension Address: CustomStringConvertible {
    /// The address with its checksum.
    package var description: String { checksummed }
}
