import ContactsDomain
import Testing

struct ContactFormTests {
    private let card = Samples.cards("moment")[1]

    private func fields(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test func `the form shows one line for each value`() {
        #expect(
            fields(ContactForm(card.details, title: "Łukasz Nowak").text) == [
                "name:      Łukasz Nowak", "phone:     mobile  +48 601 234 567", "email:     home    lukasz@nowak.pl",
                "birthday:  \"1985-02-31\"", "title:     two", "role:      three", "tag:       friends",
                "note:      one",
            ])
    }

    @Test(arguments: ["home\\, summer", "a\\;b"])
    func `an address keeps a label that looks like an address`(label: String) {
        let details = ContactsDomainTests.card("FN:A", "item1.ADR:;;1 Main St;Boston;;;", "item1.X-ABLabel:\(label)")
            .details
        #expect(details.addresses.map(\.label) == [label.replacing("\\", with: "")])
        #expect(ContactForm.read(ContactForm(details, title: "A").text, editing: details).details == details)
    }

    @Test(arguments: Samples.all.map(\.name))
    func `a form that nobody changed changes nothing`(name: String) {
        for card in Samples.cards(name) {
            let form = ContactForm(card.details, title: card.details.displayName)
            let reading = ContactForm.read(form.text, editing: card.details)
            #expect(reading.problems.isEmpty)
            #expect(reading.details == card.details)
            #expect(card.updated(to: reading.details, at: 0).card == card)
        }
    }

    @Test func `a wrong date is shown with its place, reason and hint`() throws {
        let text = """
            name:      Łukasz Nowak
            phone:     mobile  +48 601 234 567
            email:     home    lukasz@nowak.pl
            birthday:  31.02.1985
            """
        let reading = ContactForm.read(text, editing: card.details)
        let problem = try #require(reading.problems.first)
        #expect(reading.problems.count == 1)
        #expect(problem.line == 4)
        #expect(problem.columns == 12...21)
        #expect(problem.excerpt == "birthday:  31.02.1985")
        #expect(problem.message == "February 1985 has 28 days")
        #expect(problem.hint == "write 1985-02-28, --02-28 without a year, or \"in quotes\" for free text")
        #expect(reading.details.birthday == card.details.birthday)
        let without = ContactForm.readWithoutFaults(text.replacing("Nowak", with: "Kowal"), editing: card.details)
        #expect(without.problems.isEmpty && without.details.displayName == "Łukasz Kowal")
        #expect(without.details.birthday == card.details.birthday)
    }

    @Test func `a line that is left out changes nothing of what it was about`() {
        let before = ContactForm.read(
            "name: Ada\nphone: home  +44 1111111\nphone: work  +44 2222222\nbirthday: 1815-12-10",
            editing: ContactDetails()
        ).details
        func without(_ text: String) -> ContactForm.Reading { ContactForm.readWithoutFaults(text, editing: before) }
        // A field that cannot be read may have been any field that is missing now.
        let misspelt = without("name: Ada\nphone: home  +44 1111111\nphone: work  +44 2222222\nbirthdy: 1815-12-11")
        #expect(misspelt.problems.isEmpty && misspelt.details == before)
        let email = without("name: Ada\nphone: work  +44 2222222\nemail: home  nonsense\nbirthday: 1815-12-10")
        #expect(email.problems.isEmpty && email.details.emails.isEmpty && email.details.phones.count == 1)
        let nameless = without("phone: work  +44 2222222")
        #expect(nameless.problems.map(\.code) == ["form-name-missing"])
    }

    @Test func `values are changed, added and taken away`() {
        let text = """
            # a comment
            name: Łukasz Maria Nowak
            phone:  work   +48 22 555 01 00
            phone:\tmobile\t+48 601 234 567
            phones: +48 1234567
            mail: boat house  l@example.org
            address: home  Długa 1; 80-001 Gdańsk; ; Poland
            birthday: "in spring"
            org: Example; Unit 2
            nickname: Luki, Lu
            tag: friends, work, friends
            note: first
               second

                       third
            """
        let reading = ContactForm.read(text, editing: card.details)
        #expect(reading.problems.isEmpty)
        let details = reading.details
        #expect(details.name == StructuredName(family: "Nowak", given: "Łukasz Maria"))
        #expect(
            details.phones == [
                LabeledValue("+48 22 555 01 00", label: "work"), LabeledValue("+48 601 234 567", label: "mobile"),
                LabeledValue("+48 1234567"),
            ])
        #expect(details.emails == [LabeledValue("l@example.org", label: "boat house")])
        #expect(details.addresses.first?.postalCode == "80-001")
        #expect(details.addresses.first?.locality == "Gdańsk")
        #expect(details.addresses.first?.country == "Poland")
        #expect(details.birthday == .text("in spring"))
        #expect(details.organization == ["Example", "Unit 2"])
        #expect(details.nicknames == ["Luki", "Lu"])
        #expect(details.tags == ["friends", "work"])
        #expect(details.note == "first\nsecond\n\nthird")
        #expect(details.title.isEmpty)
    }

    @Test func `an address keeps what its line does not show`() {
        let before = ContactsDomainTests.card("ADR;TYPE=home:Box 1;Flat 2;Street 3;Town;Region;12345;Land;extra")
            .details
        let text = ContactForm(before, title: "x").text
        #expect(text.contains("Box 1, Flat 2, Street 3; 12345 Town; Region; Land"))
        let changed = ContactForm.read(text.replacing("Land", with: "Country"), editing: before).details
        #expect(changed.addresses[0].postOfficeBox == "Box 1")
        #expect(changed.addresses[0].country == "Country")
    }

    @Test(
        arguments: [
            ("fone: 1", "unknown field \"fone\"", "did you mean phone?"),
            ("phone: mobile", "a phone number needs digits", "such as +48 601 234 567"),
            ("email: home  a b@c", "not an e-mail address", "such as ada@example.org"),
            (
                "just words", "not a line of the form FIELD: VALUE",
                "write for example phone:  mobile  +48 601 234 567"
            ),
            ("birthday: soon", "not a valid date", nil),
        ] as [(String, String, String?)])
    func `a wrong line says why`(line: String, message: String, hint: String?) throws {
        let problem = try #require(ContactForm.read("name: A B\n" + line, editing: ContactDetails()).problems.first)
        #expect(problem.line == 2)
        #expect(problem.message == message)
        if let hint { #expect(problem.hint == hint) }
        #expect(problem.columns.upperBound <= line.count)
    }

    @Test(arguments: ["", "name:\nphone: 123", "# nothing"])
    func `a name is needed`(text: String) {
        #expect(ContactForm.read(text, editing: card.details).problems.map(\.code) == ["form-name-missing"])
    }

    @Test func `a new form shows the usual fields, empty`() {
        let form = ContactForm(ContactDetails(), title: "new", isNew: true)
        #expect(
            fields(form.text) == ["name:", "phone:", "email:", "address:", "birthday:", "org:", "tag:", "note:"])
        #expect(ContactForm.read(form.text, editing: ContactDetails()).problems.map(\.code) == ["form-name-missing"])
    }

    @Test func `a note of any lines survives the form`() {
        for note in ["a\n\nb", "  indented\n  twice", "# no comment\n# here", "a: b", "x\n\n\n", "\n\nx", " x"] {
            var details = ContactDetails()
            (details.formattedName, details.note) = ("A", note)
            #expect(ContactForm.read(ContactForm(details, title: "A").text, editing: details).details.note == note)
        }
    }

    @Test(arguments: Samples.all.map(\.name))
    func `entries that nobody changed change nothing`(name: String) {
        for card in Samples.cards(name) {
            var details = card.details
            let entries = ContactField.allCases.flatMap { field in
                field.formValues(details).map { ContactForm.Entry(field, label: $0.label, $0.value) }
            }
            #expect(ContactForm.apply(entries, to: &details).isEmpty)
            #expect(card.updated(to: details, at: 0).card == card)
        }
    }

    @Test func `rejected entries are reported by index`() {
        var details = card.details
        let refusals = ContactForm.apply(
            [.init(.phone, "none"), .init(.birthday, "31.02.1985"), .init(.phone, label: "home", "+48 1")], to: &details
        )
        #expect(refusals.map(\.field) == [.phone, .birthday, .name])
        #expect(refusals.map(\.index) == [0, 1, nil])
        #expect(details.phones.map(\.value) == ["+48 1"])
        #expect(details.birthday == card.details.birthday, "a bad value keeps the old one")
    }
}
