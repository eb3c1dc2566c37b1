import FoundationEssentials

/// The base64 encoding (RFC 4648) of pictures and of values in LDIF.
enum Base64 {
    /// The text of `bytes`, on one line.
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// The bytes of `text`, blanks and line ends passed over; nil when it is no base64.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let letters = text.filter { $0 > ASCII.space && $0 != ASCII.backslash }
        return Data(base64Encoded: Data(letters)).map(Array.init)
    }
}
