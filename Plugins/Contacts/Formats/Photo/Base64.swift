import FoundationEssentials

/// Base64 (RFC 4648) for pictures and LDIF values.
enum Base64 {
    /// The text of `bytes`, on one line.
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Decodes `text`, ignoring white space; nil if it is not valid base64.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let letters = text.filter { $0 > ASCII.space && $0 != ASCII.backslash }
        return Data(base64Encoded: Data(letters)).map(Array.init)
    }
}
