/// What a person needs to use a server, in one line that is sent to them:
/// `http://notes.example.org:3001/#invitation=NAME.TOKEN`. The part after `#` never goes to a server by itself.
package struct Invitation: Hashable, Sendable {
    /// The address of the server, without a slash at its end.
    package let url: String
    /// The name of the account.
    package let name: String
    /// The token, which is to be kept like a password.
    package let token: String

    private static let marker = "/#invitation="

    package init(url: String, name: String, token: String) {
        self.url = url
        self.name = name
        self.token = token
    }

    /// The invitation as a line.
    package var text: String { "\(url)\(Self.marker)\(Self.encoded(name)).\(token)" }

    /// Reads a line; nil when it is no invitation.
    package init?(_ text: some StringProtocol) {
        let line = String(text)
        guard line.utf8.count <= 2000, line.hasPrefix("http://") || line.hasPrefix("https://"),
            let marker = line.firstRange(of: Self.marker)
        else { return nil }
        let parts = line[marker.upperBound...].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Self.decoded(parts[0]), !name.isEmpty, parts[1].utf8.count >= 16,
            parts[1].utf8.allSatisfy(Self.isPlain)
        else { return nil }
        url = String(line[..<marker.lowerBound])
        self.name = name
        token = String(parts[1])
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    /// Percent-encodes all but letters, digits, `-` and `_` (RFC 3986 §2.1).
    private static func encoded(_ name: String) -> String {
        name.utf8.map { byte in
            if isPlain(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
