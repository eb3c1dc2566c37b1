import Collation
import ContactsDomain
import Testing

struct SearchTests {
    /// A reference implementation of the index lookup.
    private func finds(_ query: String, _ details: ContactDetails, region: String = "DE") -> Bool {
        let text = SearchText(details, region: CallingCode(region: region))
        let all = [text.name, text.nickname, text.email, text.organization, text.address, text.note].joined(
            separator: "\n")
        let words = all.split { !$0.isLetter && !$0.isNumber }
        func begins(_ word: String) -> Bool { words.contains { $0.hasPrefix(word) } }
        return SearchQuery(query).terms.allSatisfy { term in
            switch term {
            case .initial(let letter): begins(letter)
            case .word(let spellings): spellings.contains { begins($0) || ($0.count >= 3 && all.contains($0)) }
            case .digits(let digits, let words): text.digits.contains(digits) || words.allSatisfy(begins)
            }
        }
    }

    private func person(_ name: String, phone: String? = nil) -> ContactDetails {
        var details = ContactDetails()
        details.setName(name)
        if let phone { details.phones = [LabeledValue(phone)] }
        return details
    }

    @Test(arguments: [
        ("lukasz", "Łukasz Nowak"), ("ŁUKASZ now", "Łukasz Nowak"), ("owsk", "Jan Kowski"), ("strasse", "Anna Straße"),
        ("straße", "Anna Strasse"), ("mueller", "Jörg Müller"), ("muller", "Jörg Müller"), ("müller", "Jörg Mueller"),
        ("müller", "Jörg Muller"), ("vladimir", "Владимир Иванов"), ("владимир", "Владимир Иванов"),
        ("tian", "田中 花子"), ("田中", "田中 花子"), ("n", "Łukasz Nowak"), ("o'brien", "Robert O'Brien"),
        ("\"now* -", "Łukasz Nowak"), ("", "Anybody"), ("😀", "Anybody"),
    ])
    func `a query finds the name however it is typed`(query: String, name: String) {
        #expect(finds(query, person(name)))
    }

    @Test(arguments: [("nowak", "Anna Meyer"), ("anna x", "Anna Meyer"), ("m e y", "Anna Meyer")])
    func `and nobody else`(query: String, name: String) {
        #expect(!finds(query, person(name)))
    }

    @Test(arguments: [
        ("0171 2345", "+49 171 2345678"), ("+49 171 2345678", "0171 2345678"), ("5678", "+49 171 2345678"),
        ("0049171", "0171 2345678"), ("anna 0171", "+49 (0)171 2345678"), ("171-23", "0171/2345678"),
    ])
    func `a part of a number finds it, at home and abroad`(query: String, phone: String) {
        #expect(finds(query, person("Anna Meyer", phone: phone)))
    }

    @Test func `numbers of an address are words too`() {
        var details = person("Anna")
        details.addresses = [PostalAddress()]
        details.addresses[0].postalCode = "00-950"
        #expect(finds("00-950", details))
        #expect(finds("anna 00", details))
    }

    @Test func `every field is searched`() {
        var details = person("A")
        details.nicknames = ["Luki"]
        details.emails = [LabeledValue("someone@example.org")]
        details.organization = ["Müller & Söhne"]
        details.tags = ["friends"]
        details.note = "Likes tea"
        for query in ["luki", "someone", "example.org", "soehne", "friends", "tea"] { #expect(finds(query, details)) }
    }

    @Test(
        arguments: [
            ("a", [.initial("a")]), ("ab", [.word(["ab"])]), ("12", [.word(["12"])]),
            ("601 234", [.digits("601234", words: ["601", "234"])]), ("ab ab", [.word(["ab"])]),
            ("Jörg", [.word(["jorg", "joerg"])]), ("  ", []),
        ] as [(String, [SearchQuery.Term])])
    func `words are told apart by length and digits`(query: String, terms: [SearchQuery.Term]) {
        #expect(SearchQuery(query).terms == terms)
    }

    @Test func `only long words are looked for inside others`() {
        #expect(SearchQuery("ab owsk 12").substrings == [["owsk"]])
    }

    @Test func `the sort text is family first unless the card says otherwise`() {
        var details = person("Ada Lovelace")
        #expect(details.sortText(.familyFirst) == "Lovelace Ada")
        #expect(details.sortText(.givenFirst) == "Ada Lovelace")
        details.sortAs = "Zed"
        #expect(details.sortText(.familyFirst) == "Zed")
        #expect(card("N;SORT-AS=\"Harten,Rene\":van der Harten;Rene", version: "4.0").details.sortAs == "Harten Rene")
    }

    @Test func `names without letters come last`() {
        let collator = Collator(locale: "de")
        let names = ["112", "Zoe Zulu", "Ämilie Äpfel", "+49 30"]
        let sorted = names.sorted {
            person($0).sortKey(.familyFirst, collator).lexicographicallyPrecedes(
                person($1).sortKey(.familyFirst, collator))
        }
        #expect(sorted.prefix(2) == ["Ämilie Äpfel", "Zoe Zulu"])
    }

    @Test(arguments: [("lukazs", "Łukasz Nowak"), ("Lovelase", "Ada Lovelace"), ("meyr", "Zoe Meyer")])
    func `a slip of the fingers finds the name that was meant`(query: String, name: String) {
        #expect(NameSimilarity.nearness(query: query, name: name) != nil)
        #expect(NameSimilarity.nearness(query: query, name: "Bartholomew Quux") == nil)
    }

    @Test(arguments: [
        ("martha", "marhta", 0.961), ("catherine", "katherine", 0.926), ("jon smith", "john smith", 0.973),
        ("robert brown", "roberta brown", 0.985), ("", "", 1), ("a", "", 0),
    ])
    func `Jaro-Winkler has the published values`(left: String, right: String, value: Double) {
        #expect(abs(NameSimilarity.jaroWinkler(left, right) - value) < 0.001)
    }

    @Test(arguments: [
        ("ab", "ba", 1), ("abc", "abc", 0), ("abc", "axc", 1), ("kitten", "sitting", 3), ("a", "abcdef", 4),
    ])
    func `the edit distance counts swaps once and stops at the limit`(left: String, right: String, distance: Int) {
        #expect(NameSimilarity.editDistance(left, right, limit: 3) == distance)
    }

    @Test(arguments: ["\u{200B}", "\u{200D}", "\u{AD}", "\u{2060}", "\u{FEFF}"])
    func `characters that nobody sees are no part of a name`(mark: String) {
        var details = ContactDetails()
        details.formattedName = "\(mark)Łuk\(mark)asz No\(mark)wak"
        #expect(SearchText(details).name == "lukasz nowak")
        #expect(SearchQuery("lukasz nowak") == SearchQuery("Łu\(mark)kasz\(mark) \(mark)Nowak"))
    }

    @Test func `a number copied from a phone is shown and found without its marks of direction`() {
        let card = Card("BEGIN:VCARD\nVERSION:3.0\nFN:A\nTEL:\u{202A}+48 601 234 567\u{202C}\nEND:VCARD\n")
        #expect(card.details.phones.map(\.value) == ["+48 601 234 567"])
        #expect(SearchText(card.details).digits == "48601234567")
        var other = card.details
        other.title = "Dr"
        // The card itself is not touched by a change of something else.
        #expect(card.updated(to: other, at: nil).card.bytes.starts(with: card.bytes.dropLast("END:VCARD\n".utf8.count)))
    }
}
