extension QRCode {
    /// The code as a picture of dots (PNG, ISO/IEC 15948): one bit for each, `scale` dots to a module.
    package func png(scale: Int = 8) -> [UInt8] {
        let side = (size + 2 * QRCode.margin) * scale
        var rows: [UInt8] = []
        for y in 0..<side {
            // Each row begins with its filter: none.
            rows.append(0)
            var bits: UInt8 = 0
            for x in 0..<(side + 7) / 8 * 8 {
                let isLight = x >= side || !isDark(x / scale - QRCode.margin, y / scale - QRCode.margin)
                bits = bits << 1 | (isLight ? 1 : 0)
                if x % 8 == 7 { rows.append(bits) }
            }
        }
        let header = PNG.number(side) + PNG.number(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNG.chunk("IHDR", header)
            + PNG.chunk("IDAT", PNG.stored(rows)) + PNG.chunk("IEND", [])
    }
}

/// The parts of a PNG file.
private enum PNG {
    /// A number of 32 bits, its high byte first.
    static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// A chunk with its length and checksum.
    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return number(content.count) + body + number(Int(checksum(body)))
    }

    /// A zlib stream (RFC 1950) of stored blocks: a code is small, and deflating it would need a library.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
            start = block.endIndex
            let length = UInt16(block.count)
            stream.append(start == bytes.count ? 1 : 0)
            stream += [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            stream += block
        } while start < bytes.count
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + number(Int(high << 16 | low))
    }

    /// The CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}
