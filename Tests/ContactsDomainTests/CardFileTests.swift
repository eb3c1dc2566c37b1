import ContactsDomain
import TestSupport
import Testing

@Suite struct CardFileTests {
    private func card(_ uid: String, _ name: String, _ end: String) -> String {
        ["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid)", "FN:\(name)", "END:VCARD"].map { $0 + end }.joined()
    }

    /// A file of random cards with random things between them, and the cards in it.
    private func file(using random: inout some RandomNumberGenerator) -> (text: String, cards: [String]) {
        var text = ["", "\u{FEFF}", "junk\n", "\r\n"].randomElement(using: &random) ?? ""
        var cards: [String] = []
        for index in 0..<Int.random(in: 1...5, using: &random) {
            let uid = Bool.random(using: &random) ? "\(index)" : "same"
            let end = Bool.random(using: &random) ? "\n" : "\r\n"
            cards.append(card(uid, "Name \(Int.random(in: 0...2, using: &random))", end))
            text += (cards.last ?? "") + (["", "\n", "between\r\n"].randomElement(using: &random) ?? "")
        }
        return (text, cards)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `one card is replaced or removed, and every other byte stays`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (text, cards) = file(using: &random)
        let file = CardFile(Array(text.utf8))
        #expect(file.parts.map { String(decoding: $0.bytes, as: UTF8.self) } == cards)
        #expect(Set(file.parts.map(\.key)).count == cards.count, "seed \(seed): keys are not told apart")
        let index = Int.random(in: 0..<cards.count, using: &random)
        let part = file.parts[index]
        let new = card("new", "New", "\r\n")
        let changed = CardFile(file.replacing(part, with: Array(new.utf8)))
        let usesLF = !cards[index].utf8.contains(0x0D)
        #expect(
            changed.parts.map(\.bytes).enumerated().allSatisfy { place, bytes in
                let expected = place == index ? (usesLF ? new.replacing("\r\n", with: "\n") : new) : cards[place]
                return bytes == Array(expected.utf8)
            })
        #expect(
            changed.bytes.count - part.bytes.count == file.bytes.count - part.bytes.count * 2
                + changed.parts[index].bytes.count)
        let removed = file.removing(part)
        #expect(removed.count == file.bytes.count - part.bytes.count)
        #expect(CardFile.mayHoldSeveral(file.bytes) == (cards.count > 1))
    }

    @Test func `a file that is not a card is one part`() {
        for text in ["", "hello", "BEGIN:VCARD\nFN:half"] {
            let file = CardFile(Array(text.utf8))
            #expect(file.parts.map(\.bytes) == [Array(text.utf8)])
            #expect(
                file.replacing(file.parts[0], with: [0x41, 0x0D, 0x0A]) == Array("A\r\n".utf8) || text.contains("\n"))
        }
    }

    @Test func `a file in UTF-16 is rewritten in UTF-8`() {
        let text = card("1", "Łukasz", "\r\n")
        let file = CardFile([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(file.parts.map { String(decoding: $0.bytes, as: UTF8.self) } == [text])
        #expect(file.replacing(file.parts[0], with: Array(text.utf8)) == Array(text.utf8))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `an etag changes with every byte`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
        let etag = CardFile.etag(of: bytes)
        #expect(etag == CardFile.etag(of: bytes))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            #expect(CardFile.etag(of: other) != etag)
            #expect(CardFile.etag(of: bytes[..<index]) != etag)
        }
        #expect(CardFile.etag(of: bytes + [0]) != etag)
    }
}
