import Collation
import Testing

struct TransliteratorTests {
    @Test(arguments: [
        ("Łukasz Nowak", "lukasz nowak"), ("Straße", "strasse"), ("Ærø", "aero"), ("Владимир", "vladimir"),
        ("田中", "tian zhong"), ("Nguyễn", "nguyen"), ("Ångström", "angstrom"), ("a\u{308}", "a"), ("İzmir", "izmir"),
        ("plain", "plain"), ("MiXed 42!", "mixed 42!"), ("", ""), ("👩‍👩‍👧", "👩👩👧"),
    ])
    func `text of any script folds to lower-case letters`(text: String, folded: String) {
        #expect(Transliterator.fold(text) == folded)
    }

    @Test(arguments: [
        ("Ул. Ленина 7, Köln", "ul. lenina 7, koln"), (" Ж  Ж ", " z  z "), ("北京 Łódź 北京", "bei jing lodz bei jing"),
        ("\nМосква\n", "\nmoskva\n"), (" ", " "), ("Ж", "z"),
    ])
    func `a text of several scripts is folded word by word, and its blanks stay`(text: String, folded: String) {
        for _ in 0..<2 { #expect(Transliterator.fold(text) == folded) }
    }

    @Test func `the Latin table says what ICU says`() throws {
        for code in UInt32(0xC0)...0x17F {
            let letter = String(try #require(Unicode.Scalar(code)))
            // A letter outside the table sends the whole word to ICU.
            let byICU = String(Transliterator.fold(letter + "-ж").dropLast(2))
            #expect(Transliterator.fold(letter) == byICU, "U+\(String(code, radix: 16))")
        }
    }

    @Test(arguments: [
        ("Müller", "mueller"), ("Jörg Weiß", "joerg weiss"), ("A\u{308}pfel", "aepfel"), ("ÖL", "oel"),
    ])
    func `umlauts are written out`(text: String, written: String) {
        #expect(Transliterator.foldGerman(text) == written)
    }

    @Test(arguments: ["Muller", "Łukasz", "Éric", ""])
    func `text without umlauts has no German variant`(text: String) {
        #expect(Transliterator.foldGerman(text) == nil)
    }

    @Test func `long text is folded up to the limit`() {
        let long = String(repeating: "Ж", count: Transliterator.limit)
        #expect(Transliterator.fold(long) == String(repeating: "z", count: Transliterator.limit / 2))
    }

    @Test(arguments: [("é", "e"), ("Ж", "z"), ("あ", "a"), ("中", "zhong"), ("😀", "😀")])
    func `the limit splits no letter, wherever it falls`(letter: String, folded: String) {
        let width = letter.utf8.count
        for offset in 0..<width {
            let long = String(repeating: "x", count: offset) + String(repeating: letter, count: Transliterator.limit)
            let text = Transliterator.fold(long)
            #expect(text.hasPrefix(String(repeating: "x", count: offset)))
            #expect(!text.unicodeScalars.contains("\u{FFFD}"))
            let letters = text.utf8.count - offset
            if folded.utf8.count == 1 { #expect(letters == (Transliterator.limit - offset) / width) }
            #expect(Transliterator.foldGerman(long + "ü") == nil)
        }
    }

    @Test(arguments: ["\u{200B}", "\u{200D}", "\u{AD}", "\u{FEFF}", "\u{202A}", "\u{2069}", "\u{61C}"])
    func `characters that nobody sees are left out`(mark: String) {
        #expect(Transliterator.fold("\(mark)An\(mark)na Ko\(mark)wal\(mark)") == "anna kowal")
        #expect(Transliterator.foldGerman("M\(mark)ü\(mark)ller") == "mueller")
        #expect(Transliterator.withoutInvisible("\(mark)+48 601\(mark)") == "+48 601")
    }

    @Test func `umlauts are written out up to the limit`() throws {
        for offset in 0..<2 {
            let long = String(repeating: "x", count: offset) + String(repeating: "ü", count: Transliterator.limit)
            let written = try #require(Transliterator.foldGerman(long))
            #expect(written.utf8.count <= Transliterator.limit)
            #expect(written.hasSuffix("ue"))
        }
    }
}
