import CICU

/// Decodes text whose character set is only known by name.
package enum Charset {
    /// `bytes` as text of the character set called `name` (any IANA name or alias that ICU knows).
    ///
    /// - Throws: `CollationError` when ICU is missing or does not know the name. Bytes that mean nothing become U+FFFD.
    package static func decode(_ bytes: [UInt8], as name: String) throws(CollationError) -> String {
        guard let icu = ICU.functions else { throw ICU.loadingError() ?? .libraryMissing("") }
        var status = U_ZERO_ERROR
        guard let converter = icu.pointee.ucnv_open(name, &status), status.rawValue <= U_ZERO_ERROR.rawValue else {
            throw ICU.error(status, icu)
        }
        defer { icu.pointee.ucnv_close(converter) }
        // No character set makes more than two UTF-16 units of one byte.
        var units = [UInt16](repeating: 0, count: bytes.count * 2 + 1)
        let length = bytes.withUnsafeBytes { source in
            icu.pointee.ucnv_toUChars(
                converter, &units, Int32(clamping: units.count), source.bindMemory(to: CChar.self).baseAddress,
                Int32(clamping: source.count), &status)
        }
        guard status.rawValue <= U_ZERO_ERROR.rawValue else { throw ICU.error(status, icu) }
        return String(decoding: units.prefix(Int(length)), as: UTF16.self)
    }
}
