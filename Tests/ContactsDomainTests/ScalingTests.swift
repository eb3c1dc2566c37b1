import ContactsDomain
import TestSupport
import Testing

/// No card and no file of cards costs more than its length.
struct ScalingTests {
    private static let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nN:A;;;;\r\n"
    private static let end = "END:VCARD\r\n"

    /// The operations for reading, checking and writing a card.
    private static func use(_ bytes: [UInt8]) {
        let card = Card(bytes)
        _ = card.details
        _ = card.problems()
        _ = card.contentHash
        _ = card.photo
        for version in VCardVersion.allCases { _ = card.converted(to: version) }
        var writer = JCardWriter(isSingle: true)
        _ = writer.add(card, id: "")
    }

    @Test(arguments: [
        "TEL;TYPE=work:+44 20\r\n", "X-FIELD:value\r\n", "NOTE:a note of some words\r\n", "\r\n", "no property\r\n",
        "BDAY:no date\r\n", "NOTE;ENCODING=QUOTED-PRINTABLE:a=\r\n b=\r\n  =C3=BC\r\n", "N:A;B;C;D;E\r\n",
        "ADR;TYPE=home:;;Street;Town;;1;DE\r\n", "ORG:A;B\r\n", "CATEGORIES:a,b,c\r\n", "PHOTO;ENCODING=b:/9j/\r\n",
        "AGENT:\r\nBEGIN:VCARD\r\nEND:VCARD\r\n", "IMPP:xmpp:a@b\r\n", "KIND:org\r\n", "FN:A\r\n", "X-A;a=\"b\r\n",
    ])
    func `a card of many lines`(line: String) {
        Scaling.expectLinear(line, size: 133) {
            repeated(line, $0, after: Self.head, before: Self.end)
        } _: {
            Self.use($0)
        }
    }

    @Test func `a card of many groups`() {
        Scaling.expectLinear("groups", size: 100) { count in
            numbered(count, after: Self.head, before: Self.end) {
                "item\($0).TEL:\($0)\r\nitem\($0).X-ABLabel:Desk \($0)\r\nITEM\($0).X-ABDATE:2020-01-01\r\n"
            }
        } _: {
            Self.use($0)
        }
    }

    @Test(
        arguments: [
            "NOTE;ENCODING=QUOTED-PRINTABLE:\n", "NOTE;ENCODING=QUOTED-PRINTABLE:x =", "NOTE:", "X-FIELD;",
            "X-FIELD;A=\"",
            "CATEGORIES:", "N:", "NOTE;ENCODING=BASE64:",
        ],
        [
            "\n  ", "=\n", " =\n", "a\\", ";p=1", ",tag", " ", "\\\\", ":", "é", "=3D", "\n ,", "\r",
        ])
    func `a property of many parts`(start: String, part: String) {
        Scaling.expectLinear("\(start)…\(part)", size: 1333) { count in
            repeated(part, count, after: Self.head + start, before: ":x\r\n" + Self.end)
        } _: {
            Self.use($0)
        }
    }

    @Test func `a property of many parameters and a list of many items`() {
        Scaling.expectLinear("parameters", size: 266) { count in
            numbered(count, after: Self.head + "TEL", before: ":1\r\n" + Self.end) { ";P\($0)=\($0);TYPE=own\($0)" }
        } _: {
            Self.use($0)
        }
        Scaling.expectLinear("tags", size: 666) { count in
            numbered(count, after: Self.head + "CATEGORIES:", before: "\r\n" + Self.end) { "tag\($0)," }
        } _: {
            Self.use($0)
        }
    }

    @Test(arguments: ["\\", "\u{E9}", ":", "a ", "\n", ",", "=", "\"", "🇵🇱", "a\u{301}", "👩‍👩‍👧"])
    func `writing a long text`(part: String) {
        Scaling.expectLinear(part, size: 1333) {
            String(repeating: part, count: $0)
        } _: { text in
            var details = ContactDetails()
            (details.formattedName, details.note) = ("A", text)
            for version in VCardVersion.allCases { _ = Card(details, version: version, at: nil).details }
        }
    }

    @Test func `editing a contact of many values`() {
        func details(_ count: Int, _ suffix: String) -> ContactDetails {
            var details = ContactDetails()
            details.formattedName = "A"
            details.phones = (0..<count).map { LabeledValue("\($0)\(suffix)", label: "Desk \($0 % 7)\(suffix)") }
            details.tags = (0..<count).map { "tag\($0 / 2)\(suffix)" }
            details.addresses = (0..<count / 8).map { number in
                var address = PostalAddress()
                (address.street, address.label) = ("Street \(number)\(suffix)", "Flat \(number)")
                return address
            }
            return details
        }
        Scaling.expectLinear("other values", size: 50) { count in
            (Card(details(count, ""), at: nil), details(count, "x"))
        } _: { card, new in
            _ = card.updated(to: new, at: nil)
        }
        Scaling.expectLinear("no values", size: 50) {
            Card(details($0, ""), at: nil)
        } _: { card in
            _ = card.updated(to: details(0, ""), at: nil)
        }
        Scaling.expectLinear("a union", size: 33) { count in
            (Card(details(count, ""), at: nil), Card(details(count, "x"), at: nil))
        } _: { card, other in
            _ = CardUnion(card, with: other, remembering: nil, at: nil)
        }
    }

    @Test(arguments: ["NOTE:paragraph 1\\n\\nparagraph #\r\n", "TITLE:title #\r\n", "FN:A\r\n", "TEL;PREF=#:#\r\n"])
    func `a union of many lines`(line: String) {
        func card(_ count: Int, _ suffix: String) -> Card {
            Card(
                numbered(count, after: Self.head, before: Self.end) { line.replacing("#", with: "\($0)\(suffix)") })
        }
        Scaling.expectLinear(line, size: 50) {
            (card($0, ""), card($0, "x"))
        } _: { card, other in
            _ = CardUnion(card, with: other, remembering: nil, at: nil)
            _ = CardUnion(card, with: other, remembering: nil, taking: Set(MergeField.allCases), at: nil)
        }
    }
}

/// Files of address books.
struct FileScalingTests {
    private static func read(_ bytes: [UInt8], _ format: ImportFormat) {
        var reader = CardFileReader(format)
        _ = reader.feed(bytes) + reader.finish()
    }

    @Test(arguments: [
        "BEGIN:VCARD\nEND:VCARD\n", "BEGIN:VCARD\n", "BEGIN:VCARD\nAGENT:\n", "END:VCARD\n", "\r", " ",
        "Z:BEGIN:VCARD\n",
    ])
    func `a file of vCards`(part: String) {
        Scaling.expectLinear(part, size: 666) {
            repeated(part, $0)
        } _: {
            Self.read($0, .vcard)
        }
        Scaling.expectLinear("\(part), one of them", size: 666) { count in
            let card = repeated("Z:BEGIN:VCARD\n", count / 4, after: "BEGIN:VCARD\n", before: "END:VCARD\n")
            return repeated(part, count) + card
        } _: {
            _ = CardFile($0)
        }
    }

    @Test func `a file of vCards in UTF-16`() {
        Scaling.expectLinear("UTF-16", size: 166) { count in
            repeated("BEGIN:VCARD\nFN:A\nEND:VCARD\n", count).flatMap { [0, $0] }
        } _: {
            _ = CardFile($0)
        }
    }

    @Test(arguments: [
        "mail: #@x.org\n", "street: a street\n", "description: note\n", "telephoneNumber: #\n", "x-own#: 1\n", " 1\n",
        "jpegPhoto:: /9j/\n", "member: cn=#\n", "category: a,#\n", "no attribute\n", "\ndn: cn=#\n", "# comment\n",
        "birthDate: #\n", "ou: #\n",
    ])
    func `LDIF`(line: String) {
        Scaling.expectLinear(line, size: 100) { count in
            numbered(count, after: "dn: cn=A\ncn: A\n") { line.replacing("#", with: String($0)) }
        } _: {
            Self.read($0, .ldif)
        }
    }

    @Test(arguments: [
        "mail=#@x.org\n", "x#=1\n", "address2=a street\n", "[#]\nname=A\n", "email=a@x,b@x\n", "no field\n",
        "name==?utf-8?q?a?= =?utf-8?q?b?=\n",
    ])
    func `abook`(line: String) {
        Scaling.expectLinear(line, size: 100) { count in
            numbered(count, after: "[0]\nname=A\n") { line.replacing("#", with: String($0)) }
        } _: {
            Self.read($0, .abook)
        }
    }

    @Test(arguments: ["Home Street", "Notes", "Own #", "Mobile Phone", "Categories", "Company", "E-mail Address"])
    func `a table of many columns`(title: String) {
        Scaling.expectLinear(title, size: 100) { count in
            numbered(count, after: "First Name,Last Name,Company", before: "\n") {
                ",\(title.replacing("#", with: String($0)))"
            } + repeated(",value", count, after: "Ada,Lovelace,X", before: "\n")
        } _: {
            Self.read($0, .csv)
        }
    }

    @Test(arguments: [
        "E-mail # - Value", "Address # - Street", "Event # - Value", "Own # - Part", "Organization # - Name",
    ])
    func `a table of Google with many groups`(title: String) {
        Scaling.expectLinear(title, size: 83) { count in
            numbered(count, after: "First Name,Labels", before: "\n") {
                ",\(title.replacing("#", with: String($0 + 1)))"
            } + repeated(",value ::: other", count, after: "Ada,a ::: b", before: "\n")
        } _: {
            Self.read($0, .csv)
        }
    }

    @Test(arguments: [
        "Ada,Lovelace,X\n", "\"Ada\nB\",L,X\n", "\"open,L,X\n", "\"a\"b,L,X\n", ",,,,,\n", "\"\"\"\"", "a;", "\r",
    ])
    func `a table of many rows`(row: String) {
        Scaling.expectLinear(row, size: 333) { count in
            repeated(row, count, after: "First Name,Last Name,Company\n")
        } _: {
            Self.read($0, .csv)
        }
    }

    @Test(arguments: [
        "[\"vcard\",[[\"fn\",{},\"text\",\"A\"]]],", "[\"vcard\",[", "[", "[ ", "[\"vcard\" ", "[\"vcard\",\n",
    ])
    func `jCard`(part: String) {
        Scaling.expectLinear(part, size: 333) {
            repeated(part, $0, after: "[")
        } _: {
            Self.read($0, .jcard)
        }
        Scaling.expectLinear("\(part) in a card", size: 333) {
            repeated(part, $0, after: "[\"vcard\",[")
        } _: {
            Self.read($0, .jcard)
        }
    }

    @Test(arguments: [
        "[\"tel\",{},\"text\",\"1\"],", "[\"x\",{\"p#\":\"1\",\"type\":[\"a\",\"b\"]},\"unknown\",\"a\\nb\"],",
        "[\"n\",{},\"text\",[[\"a\",\"b\"],\"c\"]],",
    ])
    func `a jCard of many properties`(part: String) {
        Scaling.expectLinear(part, size: 100) { count in
            numbered(count, after: "[\"vcard\",[", before: "[\"fn\",{},\"text\",\"A\"]]]") {
                part.replacing("#", with: String($0))
            }
        } _: {
            Self.read($0, .jcard)
        }
    }
}

/// Input of users and mail programs.
struct TextScalingTests {
    @Test(arguments: [
        "From: a <a@x.org>\n", " folded\n", " a@x.org,", " (", " \"", " <", " =?utf-8?q?a?=", " =?", " =?u?q?", " a:",
        "\\",
    ])
    func `the header of a mail`(part: String) {
        Scaling.expectLinear(part, size: 333) {
            repeated(part, $0, after: "From: x\nTo:")
        } _: {
            _ = MailHeader($0).people(in: ["from", "to"])
        }
    }

    @Test(arguments: [
        "phone:  mobile  #\n", "note:  a\n", "           more\n", "\n", "bad\n", "x#: 1\n", "tag: #\n", "# c\n",
    ])
    func `the form of an editor`(line: String) {
        Scaling.expectLinear(line, size: 66) { count in
            String(
                decoding: numbered(count, after: "name: A\nnote: x\n") { line.replacing("#", with: "\($0)") },
                as: UTF8.self)
        } _: {
            _ = ContactForm.read($0, editing: ContactDetails())
            _ = ContactForm.readWithoutFaults($0, editing: ContactDetails())
        }
    }

    @Test(arguments: ["a ", "é", "ü", "ж", "中", "1 ", "a\u{301}\u{323}", "🇵🇱", "ก", "-", "\u{200B}"])
    func `text and searches`(part: String) {
        Scaling.expectLinear(part, size: 266) {
            String(repeating: part, count: $0)
        } _: { text in
            var details = ContactDetails()
            (details.formattedName, details.note) = (text, text)
            details.phones = [LabeledValue(text)]
            _ = SearchText(details)
            _ = SearchQuery(text)
            _ = PartialDate(card: text)
            _ = StructuredName(parsing: text)
        }
    }
}
