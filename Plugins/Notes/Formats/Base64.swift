import FoundationEssentials

/// Bytes in texts (RFC 4648 §4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Returns nil for anything but valid base64.
    static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
}
