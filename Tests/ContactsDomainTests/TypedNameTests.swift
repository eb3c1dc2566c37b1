import Testing

@testable import ContactsDomain

/// Names as people type them and sign mails with them.
struct TypedNameTests {
    @Test(arguments: [
        ("Łukasz Nowak", "Nowak;Łukasz;;;", "Łukasz Nowak"), ("Nowak, Łukasz", "Nowak;Łukasz;;;", "Łukasz Nowak"),
        ("Ludwig van Beethoven", "van Beethoven;Ludwig;;;", "Ludwig van Beethoven"),
        ("Eva Nowak, PhD", "Nowak;Eva;;;PhD", "Eva Nowak, PhD"),
        ("Nowak, Eva, Ph.D.", "Nowak;Eva;;;Ph.D.", "Eva Nowak Ph.D."),
        ("Martin Luther King Jr.", "King;Martin Luther;;;Jr.", "Martin Luther King Jr."),
        ("Martin Luther King, Jr.", "King;Martin Luther;;;Jr.", "Martin Luther King, Jr."),
        ("Prof. Dr. Hans Meyer", "Meyer;Hans;;Prof. Dr.;", "Prof. Dr. Hans Meyer"),
        ("Meyer, Dr. Hans", "Meyer;Hans;;Dr.;", "Dr. Hans Meyer"), ("Herr Meyer", "Meyer;;;Herr;", "Herr Meyer"),
        ("Ann Lee, MD, PhD", "Lee;Ann;;;MD, PhD", "Ann Lee, MD, PhD"),
        ("Henry Tudor VIII", "VIII;Henry Tudor;;;", "Henry Tudor VIII"),
        ("Charles Windsor III", "Windsor;Charles;;;III", "Charles Windsor III"), ("Ma, Jack", "Ma;Jack;;;", "Jack Ma"),
        ("Jack Ma", "Ma;Jack;;;", "Jack Ma"), ("Sr Ana", "Ana;Sr;;;", "Sr Ana"), ("Do, Kim", "Do;Kim;;;", "Kim Do"),
        ("Ada", ";Ada;;;", "Ada"), ("Dr.", ";Dr.;;;", "Dr."), (",", ";;;;", ""), ("山田太郎", ";山田太郎;;;", "山田太郎"),
    ])
    func `a name is split into its parts`(text: String, parts: String, displayed: String) {
        let typed = TypedName(text)
        let name = typed.name
        #expect([name.family, name.given, name.additional, name.prefix, name.suffix].joined(separator: ";") == parts)
        #expect(typed.displayed == displayed && !typed.isCompany)
    }

    @Test(arguments: [
        "Acme, Inc.", "Acme Inc", "Snip AB", "Fjord AS", "Siemens AG", "Müller & Söhne GmbH", "Smith & Co.",
        "Nowak Sp. z o.o.",
        "Apple Computer, Ltd.",
    ])
    func `the name of a company stays whole`(text: String) throws {
        var details = ContactDetails()
        details.setName(text)
        #expect(details.kind == .organization && details.organization == [text] && details.formattedName == text)
        #expect(details.name.isEmpty)
        #expect(Card(details, at: nil).source.contains("X-ABShowAs:COMPANY\r\n"))
        #expect(Card(details, version: .v4, at: nil).details.kind == .organization)
    }

    @Test(arguments: ["Jan Ag", "Sarah As", "Paul Limited", "Ada Spa", "Inc."])
    func `a person is not taken for a company`(text: String) {
        #expect(!TypedName(text).isCompany)
    }
}
