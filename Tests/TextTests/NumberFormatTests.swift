import Testing
import Text

/// Numbers and counted nouns as people read them.
struct NumberFormatTests {
    @Test(arguments: [
        (0, "0 tasks"), (1, "1 task"), (2, "2 tasks"), (1204, "1,204 tasks"), (-1, "-1 tasks"),
    ])
    func `a counted noun is singular for one alone`(number: Int, text: String) {
        #expect(NumberFormat.counted(number, "task") == text)
    }

    @Test func `a plural that takes more than an s is given`() {
        #expect(NumberFormat.counted(1, "entry", "entries") == "1 entry")
        #expect(NumberFormat.counted(1500, "entry", "entries") == "1,500 entries")
    }
}
