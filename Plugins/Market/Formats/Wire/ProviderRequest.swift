import MarketDomain

/// A GET request of a provider. Keys go in a header, never in the address, which ends up in logs.
package struct ProviderRequest: Hashable, Sendable {
    /// The path and query, to be added to the base address.
    package let target: String
    /// The headers beside those of every request.
    package let headers: [String: String]

    /// Creates a request of a path whose parts are escaped, with a query in the order given.
    init(_ path: [String], _ query: [(String, String)] = [], headers: [String: String] = [:]) {
        let parts = query.map { "\(Self.escaped($0.0))=\(Self.escaped($0.1))" }
        target =
            path.map { "/" + Self.escaped($0) }.joined() + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
        self.headers = headers
    }

    /// Escapes all but the unreserved characters of RFC 3986, and commas, which separate ids.
    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: ","):
                result.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
