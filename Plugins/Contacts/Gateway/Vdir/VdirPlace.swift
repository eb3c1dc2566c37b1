import ContactsDomain
import HubKit

/// Where a card is in a vdir folder: a file, and in a file of several cards which one.
struct VdirPlace: Hashable {
    let file: FileName
    /// The card's key in the file; nil when the file is one card.
    let key: String?

    init(_ file: FileName, key: String? = nil) {
        self.file = file
        self.key = key
    }

    /// The place that `href` names; nil when it names none.
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

    /// The place as text, from which it can be made again whatever bytes the file's name has.
    var href: String {
        VdirPlace.escaped(file.bytes) + (key.map { "#" + VdirPlace.escaped(Array($0.utf8)) } ?? "")
    }

    private static let hex = Array("0123456789ABCDEF")

    /// `%`, `#`, control characters and what is no UTF-8 as `%XX`.
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
    /// Whether a folder's file of this name is a card: `.vcf`, and no name that programs use for themselves.
    var isCard: Bool { !isHidden && hasSuffix(".vcf") }

    /// A name that no other file has, for what is not whole yet.
    static func temporary() -> FileName { FileName(".hub-\(Identifier.make()).tmp") }

    /// Whether hub made it by ``temporary()``.
    var isOurTemporary: Bool { bytes.starts(with: ".hub-".utf8) && hasSuffix(".tmp") }

    /// A name for a new card or folder: letters, digits and a few signs of `text`, at most 100 bytes.
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
