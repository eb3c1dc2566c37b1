/// Reads the dimensions of a PNG, GIF or JPEG image from its first bytes.
enum PictureSize {
    /// The number of bytes that are searched for the dimensions, beyond the usual metadata of cameras.
    private static let examined = 1 << 18

    /// The dimensions of an image in base64.
    static func area(ofBase64 text: ArraySlice<UInt8>) -> Int? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in text.prefix(examined) {
            let value: UInt8
            switch letter {
            case 0x41...0x5A: value = letter - 0x41
            case 0x61...0x7A: value = letter - 0x61 + 26
            case 0x30...0x39: value = letter - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return area(of: bytes)
    }

    /// Width times height in pixels; nil if it is not an image of these types.
    static func area(of bytes: [UInt8]) -> Int? {
        dimensions(of: bytes).map { $0.width.multipliedReportingOverflow(by: $0.height).partialValue }
    }

    /// Width and height in pixels; nil if it is not an image of these types.
    static func dimensions(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            return pair(number(bytes, 16, count: 4), number(bytes, 20, count: 4))
        }
        if bytes.starts(with: [0x47, 0x49, 0x46, 0x38]), bytes.count >= 10 {
            return pair(Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
        }
        return bytes.starts(with: [0xFF, 0xD8]) ? jpeg(bytes) : nil
    }

    /// The frame header of a JPEG follows segments with their lengths (ITU-T T.81 §B.2).
    private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var place = 2
        while place + 9 < bytes.count, bytes[place] == 0xFF {
            switch bytes[place + 1] {
            case 0xC4, 0xC8, 0xCC: break
            case 0xC0...0xCF:
                return pair(number(bytes, place + 7, count: 2), number(bytes, place + 5, count: 2))
            case 0xFF:
                place += 1
                continue
            default: break
            }
            place += 2 + max(number(bytes, place + 2, count: 2) ?? 0, 2)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ start: Int, count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        return bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }
}
