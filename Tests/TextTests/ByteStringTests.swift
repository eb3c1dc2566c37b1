import Testing
import Text

struct ByteStringTests {
    @Test func `names are equal by their bytes alone`() {
        let (composed, decomposed): (ByteString, ByteString) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed.repairedText == decomposed.repairedText)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, "caf\u{E9}"]).count == 2)
        #expect(decomposed < composed, "by bytes, not by letters")
        #expect("caf\u{E9}".hasSameBytes(as: "caf\u{E9}") && !"caf\u{E9}".hasSameBytes(as: "cafe\u{301}"))
    }

    @Test func `names that are not UTF-8 are kept, and shown with their bytes`() {
        let name = ByteString([0x63, 0xE9, 0x2E, 0xC3, 0xA9, 0xFF, 0xF0, 0x9F])
        #expect(name.text == nil)
        #expect(name.description == "c\\xE9.é\\xFF\\xF0\\x9F")
        #expect(name.repairedText.hasPrefix("c\u{FFFD}.é"))
        #expect(name != ByteString(name.repairedText))
        #expect(ByteString("é").description == "é" && ByteString("é").text == "é")
    }

    @Test func `paths have parents and names`() {
        let path: ByteString = "a/b/c.md"
        #expect(path.lastName == "c.md" && path.parent == "a/b")
        #expect(ByteString("x").lastName == "x" && ByteString("x").parent.isEmpty)
        #expect(ByteString([]).appending("x") == "x" && path.parent.appending("x") == "a/b/x")
        #expect(path.isWithin("a/b") && path.isWithin("a") && path.isWithin(path) && path.isWithin(""))
        #expect(!path.isWithin("a/b/c") && !ByteString("ab").isWithin("a"))
    }
}
