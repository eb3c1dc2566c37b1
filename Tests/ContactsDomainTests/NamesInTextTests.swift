import ContactsDomain
import Testing

struct NamesInTextTests {
    @Test(arguments: [
        ("Met Zofia Kowalska today.", "Zofia Kowalska", 1), ("ZOFIA KOWALSKA", "zofia kowalska", 0),
        ("with Łukasz Żółć.", "Lukasz Zolc", 1), ("Anna Maria, then Anna Maria Nowak", "Anna Maria Nowak", 3),
        ("O'Brien, Pat", "O'Brien Pat", 0), ("a\nJean-Luc  Picard", "Jean Luc Picard", 1),
    ])
    func `a name is found wherever its words follow each other`(text: String, name: String, place: Int) {
        #expect(NamesInText(text).place(of: name) == place)
    }

    @Test(arguments: [
        ("Zofia", "Zofia"), ("Zofia met Kowalska", "Zofia Kowalska"), ("Kowalska Zofia", "Zofia Kowalska"),
        ("Zofia Kowal", "Zofia Kowalska"), ("", "Zofia Kowalska"), ("Zofia Kowalska", ""),
        ("Anna Maria", "Anna Maria Nowak"),
    ])
    func `other words are not the name`(text: String, name: String) {
        #expect(NamesInText(text).place(of: name) == nil)
    }

    @Test func `a long text is read to its limit`() {
        let text = String(repeating: "word ", count: 20_000) + "Zofia Kowalska"
        #expect(NamesInText(text).place(of: "Zofia Kowalska") == nil)
        #expect(NamesInText("Zofia Kowalska " + text).place(of: "Zofia Kowalska") == 0)
    }
}
