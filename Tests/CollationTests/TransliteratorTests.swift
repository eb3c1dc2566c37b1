import Collation
import Testing

struct TransliteratorTests {
    @Test(arguments: [
        ("Łukasz Nowak", "lukasz nowak"), ("Straße", "strasse"), ("Ærø", "aero"), ("Владимир", "vladimir"),
        ("田中", "tian zhong"), ("Nguyễn", "nguyen"), ("Ångström", "angstrom"), ("a\u{308}", "a"), ("İzmir", "izmir"),
        ("plain", "plain"), ("MiXed 42!", "mixed 42!"), ("", ""), ("👩‍👩‍👧", "👩‍👩‍👧"),
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
}
