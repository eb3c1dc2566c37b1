import DictofunDomain
import Testing

struct SoundHeaderTests {
    private static func number(_ value: Int, isBigEndian: Bool = false) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(value >> ($0 * 8) & 255) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// A chunk of RIFF, or with `isBigEndian` of AIFF.
    private static func chunk(
        _ name: String, _ content: [UInt8], size: Int? = nil, isBigEndian: Bool = false
    ) -> [UInt8] {
        Array(name.utf8) + number(size ?? content.count, isBigEndian: isBigEndian) + content
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, isBigEndian: true) + Array(name.utf8) + content
    }

    private static let samples = [UInt8](repeating: 7, count: 100)

    private static func wave(size: Int? = nil) -> [UInt8] {
        let chunks = chunk("fmt ", Array(samples[..<16])) + chunk("LIST", Array(samples[..<4]))
        return chunk("RIFF", Array("WAVE".utf8) + chunks + chunk("data", samples, size: size), size: size)
    }

    private static let aiff = chunk(
        "FORM",
        Array("AIFF".utf8) + chunk("COMM", Array(samples[..<18]), isBigEndian: true)
            + chunk("SSND", samples, isBigEndian: true), isBigEndian: true)
    private static let m4a = box("ftyp", Array("M4A ".utf8) + number(0)) + box("mdat", samples) + box("moov", samples)

    private func isShort(_ file: [UInt8], _ size: Int) -> Bool {
        SoundHeader.announcesMore(than: size) { offset in
            Array(file[..<size].dropFirst(offset).prefix(SoundHeader.size))
        }
    }

    @Test(arguments: [wave(), aiff, m4a])
    func `a file is complete with its last byte`(file: [UInt8]) {
        for size in 0..<file.count { #expect(isShort(file, size), "\(size) of \(file.count)") }
        #expect(!isShort(file, file.count))
    }

    @Test(arguments: [0, 0xffff_ffff])
    func `a recording that never got its length is complete at any length`(size: Int) {
        let file = Self.wave(size: size)
        #expect(!isShort(file, file.count) && !isShort(file, file.count - 50))
    }

    @Test func `other formats do not say how long they are`() {
        let file = Array("ID3".utf8) + Self.samples
        #expect(!isShort(file, 50))
        #expect(isShort(file, 5), "nothing is that short")
        let unlimited =
            Self.box("ftyp", Self.samples) + Self.box("moov", Self.samples) + Self.number(0) + Array("mdat".utf8)
        #expect(!isShort(unlimited, unlimited.count))
        #expect(isShort(Self.box("ftyp", Self.samples), 108), "what describes the sound has not come")
    }
}
