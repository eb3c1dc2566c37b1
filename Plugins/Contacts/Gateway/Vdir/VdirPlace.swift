import ContactsDomain
import System

/// The path of a card in a vdir folder: the file name, and the key in a file with several cards.
struct VdirPlace: Hashable {
    let file: FileName
    /// The card's key in the file; nil if the file has one card.
    let key: String?

    init(_ file: FileName, key: String? = nil) {
        self.file = file
        self.key = key
    }

    /// Parses `href`; nil if it is not valid.
    init?(href: String) {
        let parts = href.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let file = VdirPlace.unescaped(parts[0]), !file.isEmpty, !file.contains(UInt8(ascii: "/")),
            !file.contains(0)
        else { return nil }
        self.file = FileName(file)
        guard parts.count == 2 else {
            key = nil
            return
        }
        guard let key = VdirPlace.unescaped(parts[1]) else { return nil }
        self.key = String(decoding: key, as: UTF8.self)
    }

    /// The path as text, which preserves all bytes of the file name.
    var href: String {
        VdirPlace.escaped(file.bytes) + (key.map { "#" + VdirPlace.escaped(Array($0.utf8)) } ?? "")
    }

    private static let hex = Array("0123456789ABCDEF")

    /// Percent-encodes `%`, `#`, control characters and invalid UTF-8.
    private static func escaped(_ bytes: [UInt8]) -> String {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var result: [UInt8] = []
        for byte in bytes {
            let isPlain = byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "#")
            if isPlain, byte < 0x80 || isText {
                result.append(byte)
            } else {
                result += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])".utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return result
    }
}

extension FileName {
    /// Whether a file of this name is a card: `.vcf`, and not a temporary or hidden name.
    var isCard: Bool { !isHidden && hasSuffix(".vcf") }

    /// Returns a unique name for a temporary file.
    static func temporary() -> FileName { FileName(".hub-\(Identifier.make()).tmp") }

    /// Whether hub created it with ``temporary()``.
    var isOurTemporary: Bool { bytes.starts(with: ".hub-".utf8) && hasSuffix(".tmp") }

    /// Returns a name for a new card or folder: letters, digits and a few signs of `text`, at most 100 bytes.
    init(safe text: String, suffix: String = "") {
        var result = ""
        for character in text {
            let isSafe = character.isLetter || character.isNumber || "-_.@+ ".contains(character)
            let next = isSafe ? String(character) : "_"
            if result.utf8.count + next.utf8.count > 100 { break }
            result += next
        }
        while result.hasPrefix(".") || result.hasPrefix(" ") { result.removeFirst() }
        while result.hasSuffix(" ") { result.removeLast() }
        self.init((result.isEmpty ? Identifier.make() : result) + suffix)
    }
}
