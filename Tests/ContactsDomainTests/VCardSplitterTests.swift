import ContactsDomain
import Testing

struct VCardSplitterTests {
    @Test func `a card without an end is reported and the next one read`() throws {
        let text = "x\nBEGIN:VCARD\nFN:Lost\nBEGIN:VCARD\nFN:Found\nEND:VCARD\n"
        let (cards, problems) = split(Array(text.utf8))
        #expect(cards.map { Card($0.bytes).details.formattedName } == ["Found"])
        #expect(cards.first?.firstLine == 4)
        #expect(cards.first?.lastLine == 6)
        #expect(problems.map(\.code) == ["text-outside-card", "card-without-end"])
        let problem = try #require(problems.last)
        #expect(problem.line == 2)
        #expect(problem.subject == "Lost")
        #expect(problem.note == "the next card begins in line 4 before this one ends")
    }

    @Test func `the file may end before the card does`() throws {
        let (cards, problems) = split(PackageResources.moment_vcf)
        #expect(cards.count == 2)
        let problem = try #require(problems.first)
        #expect(problem.line == 19)
        #expect(problem.columns == 1...1)
        #expect(problem.subject == "J. Smith")
        #expect(problem.message == "BEGIN:VCARD without END:VCARD")
        #expect(problem.excerpt == "BEGIN:VCARD")
        #expect(problem.note == "the file ends in line 24 before this card does")
        #expect(problem.hint == "fix that card and import the file again; nothing is imported twice")
    }

    @Test(arguments: Samples.all.map(\.name))
    func `chunks of any size give the same cards`(name: String) {
        let bytes = Samples.all.first { $0.name == name }?.bytes ?? []
        let whole = split(bytes)
        for size in [1, 2, 3, 7, 64] {
            let parts = split(bytes, chunk: size)
            #expect(parts.cards == whole.cards)
            #expect(parts.problems == whole.problems)
        }
    }

    @Test(arguments: [1, 2, 3, 5])
    func `lines that end with several returns are the same lines in any chunks`(size: Int) {
        let vCards = Array("BEGIN:VCARD\r\r\nFN:a\r\r\nEND:VCARD\r\r\nBEGIN:VCARD\r\r\r\nFN:b".utf8)
        let (whole, parts) = (split(vCards), split(vCards, chunk: size))
        #expect(parts.cards == whole.cards && parts.problems == whole.problems)
        #expect(whole.cards.first?.lastLine == 3 && whole.problems.first?.line == 4)
        let ldif = Array("dn: cn=a\r\r\ncn: a\r\r\nobjectclass: person\r\r\n\r\r\nno attribute\r\r\n".utf8)
        var reader = CardFileReader(.ldif)
        var piecewise = CardFileReader(.ldif)
        var found: [FoundCard] = []
        for start in stride(from: 0, to: ldif.count, by: size) {
            found += piecewise.feed(Array(ldif[start..<min(start + size, ldif.count)]))
        }
        found += piecewise.finish()
        #expect(found == reader.feed(ldif) + reader.finish())
    }

    @Test func `text around cards is reported once per gap`() {
        let text =
            "\u{FEFF}hello\r\n\r\n  BEGIN:VCARD\r\nFN:a\r\nEND:VCARD\0\0\r\n\u{1A}\r\ndn: cn=b\r\ncn: b\r\n\r\n"
        for size in [1, 3, 1000] {
            let (cards, problems) = split(Array(text.utf8), chunk: size)
            #expect(cards.count == 1)
            #expect(problems.map(\.line) == [1, 7] && problems.map(\.excerpt) == ["hello", "dn: cn=b"])
            #expect(problems.last?.message == "lines 7 to 8 are not part of a card")
        }
        // A file without cards is of another format.
        #expect(split(Array("dn: cn=b\ncn: b\n".utf8)).problems.isEmpty)
    }

    @Test(arguments: [
        "", "\u{FEFF}", "\n\u{FEFF}", "\n\u{0C}", "\n\u{2028}", " \u{0C}\r", "\n\u{1A}", "\n\0", "\n\n\u{FEFF} ",
    ])
    func `joined files give all their cards`(joint: String) {
        let parts = (1...4).map { "BEGIN:VCARD\nVERSION:3.0\nUID:u\($0)\nFN:Person \($0)\nTEL:+\($0)\nEND:VCARD" }
        let bytes = Array(("\u{FEFF}" + parts.joined(separator: joint)).utf8)
        for size in [1, 2, 1000] {
            let (cards, problems) = split(bytes, chunk: size)
            #expect(cards.map { Card($0.bytes).details.formattedName } == (1...4).map { "Person \($0)" })
            #expect(cards.map { Card($0.bytes).details.phones.map(\.value) } == (1...4).map { ["+\($0)"] })
            #expect(problems.isEmpty)
        }
    }

    @Test func `a joint inside a property or a nested card loses nothing`() {
        let cut = "BEGIN:VCARD\nVERSION:3.0\nFN:Cut\nTEL:+1BEGIN:VCARD\nVERSION:3.0\nFN:Next\nEND:VCARD\n"
        let (cards, problems) = split(Array(cut.utf8), chunk: 5)
        #expect(cards.map { Card($0.bytes).details.formattedName } == ["Next"] && cards.first?.firstLine == 4)
        #expect(problems.map(\.subject) == ["Cut"] && problems.map(\.code) == ["card-without-end"])
        let nested = "BEGIN:VCARD\nFN:a\nAGENT:\nBEGIN:VCARD\nFN:b\nEND:VCARDEND:VCARDBEGIN:VCARD\nFN:c\nEND:VCARD"
        #expect(split(Array(nested.utf8)).cards.map { Card($0.bytes).details.formattedName } == ["a", "c"])
        let note = card("FN:a", "NOTE:it ends with BEGIN:VCARD", "TEL:1", "NOTE:x\n BEGIN:VCARD")
        #expect(split(note.bytes).cards.map(\.bytes) == [note.bytes])
    }

    @Test func `a start of a card that cannot be read is reported with its line`() {
        let text = "BEGIN:VCARD VERSION:3.0 FN:a END:VCARD\n" + card("FN:b").source
        let (cards, problems) = split(Array(text.utf8))
        #expect(cards.count == 1 && problems.contains { $0.code == "card-begin-unreadable" && $0.line == 1 })
    }

    @Test func `cards of one line are changed and removed one by one`() throws {
        let (one, two) = ("BEGIN:VCARD\nUID:a\nFN:a\nEND:VCARD", "BEGIN:VCARD\nUID:b\nFN:b\nEND:VCARD\n")
        let file = CardFile(Array((one + "\u{FEFF}" + two).utf8))
        #expect(file.parts.map(\.key) == ["a", "b"])
        let part = try #require(file.parts.first)
        let changed = file.replacing(part, with: Array(one.replacing("FN:a", with: "FN:A").utf8))
        #expect(CardFile(changed).parts.map { Card($0.bytes).details.formattedName } == ["A", "b"])
        #expect(CardFile(file.removing(part)).parts.map(\.key) == ["b"])
    }

    @Test func `UTF-16 of both byte orders is read, with or without a mark`() {
        let text = card("FN:Łukasz 😀").source
        for isBig in [true, false] {
            for hasMark in [true, false] {
                let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
                let bytes = units.flatMap {
                    isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
                }
                for size in [1, 3, 1000] {
                    let names = split(bytes, chunk: size).cards.map { Card($0.bytes).details.formattedName }
                    #expect(names == ["Łukasz 😀"])
                }
            }
        }
    }

    @Test func `nested cards stay inside, too deep ones are refused`() {
        func nested(_ depth: Int) -> [UInt8] {
            let begin = String(repeating: "BEGIN:VCARD\nAGENT:\n", count: depth)
            let end = String(repeating: "END:VCARD\n", count: depth + 1)
            return Array((begin + "BEGIN:VCARD\nFN:deep\n" + end + "BEGIN:VCARD\nFN:next\nEND:VCARD\n").utf8)
        }
        #expect(split(nested(3)).cards.count == 2)
        #expect(split(nested(3)).problems.isEmpty)
        #expect(split(nested(20)).cards.count == 2)
        let deep = split(nested(200))
        #expect(deep.cards.count == 1 && deep.problems.map(\.code) == ["card-too-deep"])
        #expect(deep.cards.last.map { Card($0.bytes).details.formattedName } == "next")
        #expect(!deep.problems.isEmpty)
    }

    @Test func `long lines and cards are refused and the next card is read`() {
        let limits = VCardSplitter.Limits(line: 1000, card: 5000)
        let long = String(repeating: "x", count: 3000)
        let lines = String(repeating: "NOTE:\(long.prefix(500))\r\n", count: 20)
        let text = card("NOTE:\(long)").source + card(lines).source + card("FN:next").source
        for size in [1, 100, 100_000] {
            let (cards, problems) = split(Array(text.utf8), chunk: size, limits: limits)
            #expect(cards.last.map { Card($0.bytes).details.formattedName } == "next")
            #expect(problems.map(\.code) == ["line-too-long", "card-too-long"])
        }
    }

    @Test func `a line without an end takes no memory outside a card`() {
        var splitter = VCardSplitter()
        let chunk = [UInt8](repeating: 0x78, count: 1 << 20)
        for _ in 0..<64 { #expect(splitter.feed(chunk).isEmpty) }
        #expect(splitter.finish().isEmpty)
    }
}
