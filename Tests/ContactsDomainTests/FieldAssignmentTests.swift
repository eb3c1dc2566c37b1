import ContactsDomain
import Testing

struct FieldAssignmentTests {
    private func apply(_ arguments: String..., to details: ContactDetails = ContactDetails()) throws -> ContactDetails {
        var details = details
        for argument in arguments {
            try #require(try FieldAssignment(argument: argument)).apply(to: &details)
        }
        return details
    }

    @Test func `fields are set, added to and taken from`() throws {
        let details = try apply(
            "name=Ada Lovelace", "phone.mobile=+48 601 234 567", "phone.work+=+48 22 555 01 00", "email+=a@example.org",
            "email+=b@example.org", "email-=A@example.org", "tag+=friends", "tag+=work", "tag-=friends",
            "birthday=28.02.1985", "org=Example; Unit", "note=one", "note+=two", "nickname=Countess",
            "phone.mobile=+48 601 000 000")
        #expect(details.name == StructuredName(family: "Lovelace", given: "Ada"))
        #expect(
            details.phones == [
                LabeledValue("+48 22 555 01 00", label: "work"), LabeledValue("+48 601 000 000", label: "mobile"),
            ])
        #expect(details.emails.map(\.value) == ["b@example.org"])
        #expect(details.tags == ["work"])
        #expect(details.birthday?.description == "1985-02-28")
        #expect(details.organization == ["Example", "Unit"])
        #expect(details.note == "one\ntwo")
    }

    @Test func `an empty value clears, alone or of one kind`() throws {
        let details = try apply("phone.mobile=123", "phone.work+=456", "title=x")
        #expect(try apply("phone.mobile=", to: details).phones.map(\.value) == ["456"])
        #expect(try apply("phone=", to: details).phones.isEmpty)
        #expect(try apply("title=", to: details).title.isEmpty)
        #expect(try apply("phone.work-=", to: details).phones.map(\.value) == ["123"])
    }

    @Test func `a number is taken away however it is written`() throws {
        let details = try apply("phone+=+48 601 234 567", "phone+=+48 22 5550100")
        #expect(try apply("phone-=601-234-567", to: details).phones.map(\.value) == ["+48 22 5550100"])
        let home = try apply("phone.home+=+48601234567", to: details)
        #expect(home.phones.map(\.label) == ["home", ""])
        #expect(try apply("phone.work+=601 234 567", to: home).phones.map(\.label) == ["home", "", "work"])
        #expect(try apply("phone+=601 234 567", "phone.home+=+48601234567", to: home).phones == home.phones)
    }

    @Test func `parts of a name are set alone`() throws {
        let details = try apply("name=Ada King", "name.family=Lovelace", "name.prefix=Dr.")
        #expect(details.formattedName == "Dr. Ada Lovelace")
        #expect(try apply("name=Nowak, Łukasz").formattedName == "Łukasz Nowak")
    }

    @Test(
        arguments: [
            ("山田太郎", "山田;太郎;;;", "family", "鈴木", "鈴木太郎"), ("山田太郎", "山田;太郎;;;", "given", "花子", "山田花子"),
            ("王小明", "王;小明;;;", "family", "李", "李小明"),
            ("Lovelace, Bea", "Lovelace;Bea;;;", "family", "King", "King, Bea"),
            ("Lovelace, Bea", "Lovelace;Bea;;;", "given", "Ada", "Lovelace, Ada"),
            ("Lovelace, Bea", "Lovelace;Bea;;;", "family", "", "Bea"),
            ("Lovelace, Bea", "Lovelace;Bea;;;", "given", "", "Lovelace"),
            ("Ada Lovelace (work)", "Lovelace;Ada;;;", "family", "King", "Ada King (work)"),
            ("Ada Lovelace (work)", "Lovelace;Ada;;;", "prefix", "Dr.", "Dr. Ada Lovelace (work)"),
            ("Ada Lovelace (work)", "Lovelace;Ada;;;", "additional", "B.", "Ada B. Lovelace (work)"),
            ("Dr. Cora King PhD", "King;Cora;;;", "family", "Love", "Dr. Cora Love PhD"),
            ("James James, Esq.", "James;James;;;", "family", "Jones", "James Jones, Esq."),
            ("Annabel (old)", "Bel;Ann;;;", "given", "Eva", "Eva Bel"), ("ACME", ";;;;", "given", "Bob", "Bob"),
            ("Ada King (x)", "Lovelace;Ada;;;", "family", "King", "Ada King (x)"),
        ])
    func `a part of a name changes in the displayed name too`(
        shown: String, parts: String, part: String, value: String, expected: String
    ) throws {
        let card = card("FN:\(shown)", "N:\(parts)")
        let details = try apply("name.\(part)=\(value)", to: card.details)
        #expect(details.formattedName == expected)
        let update = card.updated(to: details, at: nil)
        #expect(update.card.details.formattedName == expected)
        if shown != expected { #expect(update.changes.map(\.new) == [expected]) }
    }

    @Test(
        arguments: [
            ("fone=1", "unknown field \"fone\"", "did you mean phone?"),
            ("title+=x", "title has only one value", "write title=VALUE to replace it"),
            ("title.x=y", "title does not have kinds", "write title=VALUE"),
            (
                "birthday=1985-02-31", "birthday \"1985-02-31\": February 1985 has 28 days",
                "write 1985-02-28, --02-28 without a year, or \"in quotes\" for free text"
            ),
            ("name=", "name \"\": a contact needs a name", nil), ("name.foo=x", "a name has no part \"foo\"", nil),
            ("tag-=x", "tag \"x\": the contact does not have this value", nil),
        ] as [(String, String, String?)])
    func `a wrong assignment says why`(argument: String, message: String, hint: String?) {
        #expect {
            _ = try apply(argument)
        } throws: { error in
            let error = error as? FieldAssignment.ParseError
            return error?.message == message && (hint == nil || error?.hint == hint)
        }
    }

    @Test(arguments: ["Ada", "lovelace@example.org", ""])
    func `a word is no assignment`(argument: String) throws {
        #expect(try FieldAssignment(argument: argument) == nil)
    }

    @Test func `what is saved is checked`() throws {
        var details = try apply("name=Ada")
        try details.validate()
        details.title = "a\u{0}b"
        #expect(throws: ContactValidationError(field: "title", reason: "the control character U+0000 is not allowed")) {
            try details.validate()
        }
        #expect(throws: ContactValidationError(field: "name", reason: "a contact needs a name")) {
            try ContactDetails().validate()
        }
    }
}
