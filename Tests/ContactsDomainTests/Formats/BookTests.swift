import ContactsDomain
import Testing
import Text

struct BookTests {
    @Test(arguments: Books.all.map(\.name))
    func `the beginning of a file tells its format, and how it is cut does not matter`(name: String) throws {
        let book = try #require(Books.all.first { $0.name == name })
        let whole = read(book.bytes)
        #expect(whole.cards == read(book.bytes, as: book.format).cards)
        #expect(!whole.cards.isEmpty)
        for size in [1, 7, 64, 1000] {
            let cut = read(book.bytes, chunk: size)
            #expect(cut.cards == whole.cards, "chunks of \(size)")
            #expect(cut.problems == whole.problems, "chunks of \(size)")
            let told = read(book.bytes, as: book.format, chunk: size)
            #expect(told.cards == whole.cards && told.problems == whole.problems, "chunks of \(size)")
            #expect(cut.raw.map(\.firstLine) == whole.raw.map(\.firstLine), "chunks of \(size)")
        }
    }

    @Test func `a file in a named character set is read in it, however it is cut`() throws {
        let mac = try #require(FileCharset("macintosh"))
        let head: [UInt8] = Array("BEGIN:VCARD\rVERSION:2.1\rN:Noir;Fran".utf8)
        let rest = Array("oise\rNOTE;ENCODING=QUOTED-PRINTABLE:caf=8E\rEND:VCARD\r".utf8)
        let bytes = head + [0x8D] + rest
        for size in [1, 3, 40, 500] {
            var reader = CardFileReader(charset: mac)
            var found: [FoundCard] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += reader.feed(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            found += reader.finish()
            guard case .card(let raw)? = found.first, found.count == 1 else {
                Issue.record("\(found)")
                continue
            }
            let details = Card(raw.bytes).details
            #expect(details.displayName == "Françoise Noir" && details.note == "café", "chunks of \(size)")
        }
        let japanese = try #require(FileCharset("shift_jis"))
        var reader = CardFileReader(charset: japanese)
        let card = Array("BEGIN:VCARD\nVERSION:3.0\nFN:".utf8) + [0x8E, 0x52, 0x93, 0x63] + Array("\nEND:VCARD\n".utf8)
        let found = reader.feed(card) + reader.finish()
        guard case .card(let raw)? = found.first else { throw Failure() }
        #expect(Card(raw.bytes).details.displayName == "山田")
        for name in ["", "no-such", "UTF-16", "a;b"] { #expect(FileCharset(name) == nil, "\(name)") }
    }

    private struct Failure: Error {}

    @Test func `every sample of vCard is still read as vCard`() {
        for (name, bytes) in Samples.all {
            #expect(read(bytes).cards == split(bytes).cards.map { Card($0.bytes) }, "\(name)")
        }
    }

    @Test func `every card that is made has a name, an id of its own and no time`() {
        for (name, bytes, format) in Books.all where format != .jcard {
            for card in read(bytes).cards {
                #expect(card.details.uidText?.count == 36, "\(name)")
                #expect(card.first(.revision) == nil, "\(name)")
                #expect(card.version == .v3)
            }
        }
    }

    @Test func `joined tables give their rows, each under its own columns`() {
        let one = "\u{FEFF}First Name,Last Name,E-mail Address\r\nAda,One,a@x.org\r\n"
        let two = "\u{FEFF}\"First Name\",\"Last Name\",\"E-mail Address\"\r\nBob,Two,b@x.org\r\n"
        let other = "Last Name,First Name,Mobile Phone,E-mail Address\nFour,Dan,+4,d@x.org\n"
        let reading = read(one + two + one.replacing("Ada,One,a", with: "Cy,Three,c") + other)
        #expect(reading.names == ["Ada One", "Bob Two", "Cy Three", "Dan Four"] && reading.problems.isEmpty)
        #expect(reading.details.last?.phones == [LabeledValue("+4", label: "mobile")])
    }

    @Test func `Google's table of today`() throws {
        let reading = Books.reading("google")
        #expect(reading.problems.isEmpty)
        #expect(reading.names == ["Łukasz Nowak", "Dra. María García", "Bakery Öl & Korn"])
        #expect(reading.raw.map(\.firstLine) == [2, 6, 7])
        let details = reading.details[0]
        #expect(details.emails.map(\.value) == ["lukasz@nowak.example", "l.nowak@example.org", "luki@example.org"])
        #expect(details.emails.map(\.label) == ["home", "work", "work"])
        #expect(details.emails.primary?.preference == 1)
        #expect(details.phones.map(\.label) == ["mobile", "Holiday home"])
        #expect(details.tags == ["Friends", "Chess"])
        #expect(details.birthday == PartialDate(month: 4, day: 15).map(ContactDate.date))
        #expect(details.anniversary == PartialDate(year: 2011, month: 6, day: 18).map(ContactDate.date))
        #expect(details.note == "Met in Gdańsk,\nat the \"Long Street\"")
        #expect(details.addresses.first?.parts == ["", "m. 2", "Długa 1", "Gdańsk", "", "80-831", "PL"])
        #expect(details.organization == ["Example Sp. z o.o.", "Research"])
        #expect(details.relations == [LabeledValue("Anna Nowak", label: "Spouse")])
        #expect(details.urls == [LabeledValue("https://nowak.example/?a=1", label: "Blog")])
        #expect(details.others.contains { $0.name == "Shoe size" && $0.value == "43" })
        #expect(reading.cards[0].photo == .link("https://lh3.example.org/photo.jpg"))
        #expect(reading.details[1].tags == ["starred"])
        #expect(reading.details[1].phones == [LabeledValue("555-0101", label: "work fax")])
    }

    @Test func `Google's table of old`() throws {
        let details = try #require(Books.reading("google-old").details.first)
        #expect(details.formattedName == "田中 花子")
        #expect(details.name == StructuredName(family: "田中", given: "花子"))
        #expect(details.messengers.first?.value == "skype:hanako.t")
        #expect(details.addresses.first?.street == "1-2-3 Ginza\nTokyo")
        #expect(details.organization == ["Example KK", "Books"])
        #expect(details.title == "Editor")
        #expect(details.role == "Translator")
        #expect(details.others.map(\.name).contains("Hobby"))
        #expect(details.tags == ["Tokyo"])
    }

    @Test func `Outlook's table in Windows-1252`() throws {
        let reading = Books.reading("outlook")
        #expect(reading.problems.isEmpty)
        let details = reading.details[0]
        #expect(details.name == StructuredName(family: "Müller", given: "Jörg", prefix: "Dr."))
        #expect(details.organization == ["Müller & Söhne GmbH", "Verkauf"])
        #expect(details.addresses.map(\.street) == ["Industriestr. 1\nHalle 3"])
        #expect(details.phones.map(\.label) == ["work fax", "work", "mobile"])
        #expect(details.birthday == PartialDate(year: 1970, month: 12, day: 24).map(ContactDate.date))
        #expect(details.anniversary == nil)
        #expect(details.tags == ["Business", "Key Customer"])
        #expect(details.note == "Liebt – laut \"Frau Groß\" – Käse.\nZweite Zeile.")
        #expect(details.relations.map(\.label) == ["manager", "spouse"])
        #expect(details.others.map(\.name) == ["User 1"])
        // The first row shows that the month comes first.
        #expect(reading.details[1].birthday == PartialDate(year: 1985, month: 3, day: 4).map(ContactDate.date))
        #expect(reading.details[1].anniversary == PartialDate(year: 1999, month: 6, day: 5).map(ContactDate.date))
    }

    @Test func `a date of ambiguous order stays text, with a warning`() throws {
        let reading = read("First Name,Last Name,E-mail Address,Birthday\r\nZoe,Smith,z@example.org,3/4/1985\r\n")
        #expect(reading.details.first?.birthday == .text("3/4/1985"))
        #expect(reading.raw.first?.doubts.map(\.line) == [2])
    }

    @Test func `Thunderbird's table`() throws {
        let details = try #require(Books.reading("thunderbird").details.first)
        #expect(details.formattedName == "Nguyễn Văn An")
        #expect(details.birthday == PartialDate(year: 1988, month: 2, day: 29).map(ContactDate.date))
        #expect(details.emails.map(\.value) == ["an@example.org", "an@home.example"])
        #expect(details.phones.map(\.label) == ["work", "mobile"])
        #expect(details.addresses.first?.locality == "Hà Nội")
    }

    @Test func `abook's addressbook`() throws {
        let reading = Books.reading("abook")
        #expect(reading.names == ["Ada Lovelace", "Jörg Müller", "only@example.org"])
        let details = reading.details[0]
        #expect(details.emails.map(\.value) == ["ada@example.org", "countess@example.com"])
        #expect(details.addresses.first?.street == "12 St James's Square\nGround floor")
        #expect(details.phones.map(\.label) == ["home", "work", "mobile"])
        #expect(details.tags == ["maths", "friends"])
        #expect(details.anniversary == PartialDate(year: 1835, month: 7, day: 8).map(ContactDate.date))
        #expect(details.others.map(\.name) == ["custom1"])
        #expect(reading.raw[2].doubts.map(\.message) == ["invalid anniversary \"in May\", kept as text"])
    }

    @Test func `Thunderbird's LDIF with base64, folds and a group`() throws {
        let reading = Books.reading("thunderbird-ldif")
        #expect(reading.problems.isEmpty)
        #expect(reading.names == ["Ada Lovelace", "Łukasz Nowak", "Chess"])
        let ada = reading.details[0]
        #expect(ada.birthday == PartialDate(year: 1815, month: 12, day: 10).map(ContactDate.date))
        #expect(ada.note == "A note that is so long that its line has to be folded, and after the fold it goes on.")
        #expect(ada.addresses.first?.postalCode == "SW1Y 4JH")
        #expect(ada.organization == ["Analytical Engines", "Programs"])
        let group = reading.details[2]
        #expect(group.kind == .group)
        #expect(group.members.first == "urn:uuid:\(ada.uid ?? "")")
        #expect(group.members.count == 2)
    }

    @Test func `Evolution's LDIF with a picture, and a value that is never fetched`() throws {
        let reading = Books.reading("evolution")
        let details = try #require(reading.details.first)
        #expect(details.displayName == "Zoë Meyer")
        #expect(details.phones.map(\.label) == ["main", "car"])
        #expect(details.addresses.first?.street == "Hauptstr. 5\nHinterhaus\n10115 Berlin")
        #expect(details.relations.map(\.value) == ["Erna Korn", "Max Meyer"])
        guard case .picture(let bytes) = reading.cards[0].photo else { throw NoPicture() }
        #expect(PictureType(sniffing: bytes) == .png)
        #expect(bytes.count == 70)
        #expect(reading.raw[0].doubts.map(\.line) == [22, 23])
    }

    private struct NoPicture: Error {}

    @Test func `jCards with every kind of value, and a broken one between them`() throws {
        let reading = Books.reading("jcard")
        #expect(reading.names == ["Ada Lovelace, Countess", "Łukasz Nowak"])
        #expect(reading.problems.map(\.line) == [23])
        let card = reading.cards[0]
        let details = card.details
        #expect(details.name.family == "Lovelace")
        #expect(details.name.additional == "Augusta King")
        #expect(details.birthday == PartialDate(month: 12, day: 10).map(ContactDate.date))
        #expect(details.organization == ["Analytical Engines", "Programs; Notes"])
        #expect(details.addresses.first?.country == "England")
        #expect(details.phones == [LabeledValue("+44-7700-900001", label: "mobile", preference: 1)])
        #expect(details.emails.first?.label == "Engine room")
        #expect(details.tags == ["maths", "friends, old"])
        #expect(details.note == "First \"programmer\"\nand émigrée 😀")
        #expect(details.relations == [LabeledValue("William King", label: "spouse")])
        #expect(card.source.contains("REV:20261120T091200Z\r\n"))
        #expect(card.source.contains("TEL;TYPE=cell,voice;PREF=1;VALUE=uri:tel:+44-7700-900001\r\n"))
        #expect(card.source.replacing("\r\n ", with: "").contains(";LABEL=12 St James's Square^nLondon:"))
    }

    @Test func `an unknown table gives nothing but its columns`() {
        for format in [ImportFormat.csv, nil] {
            var file = CardFileReader(format)
            #expect((file.feed(Array("a, b,c\r\n1,2,3\r\n4,5,6\r\n".utf8)) + file.finish()).isEmpty)
            #expect(file.unknownColumns == ["a", "b", "c"])
        }
    }

    @Test(arguments: [
        "Vorname,Nachname,Anzeigename,Primäre E-Mail-Adresse,Tel. dienstlich,Tel. privat,Mobil-Tel.-Nr.,Privat: PLZ,Privat: Ort,Dienstlich: Adresse,Organisation,Notizen",
        "Prénom,Nom de famille,Nom à afficher,Adresse électronique principale,Tél. professionnel,Tél. personnel,Portable,Code postal du domicile,Ville du domicile,Adresse professionnelle,Société,Notes",
        "Nombre,Apellidos,Nombre para mostrar,Correo electrónico,Teléfono del trabajo,Teléfono particular,Móvil,Código postal particular,Ciudad particular,Dirección del trabajo,Organización,Notas",
        "Nome,Cognome,Nome visualizzato,Indirizzo di posta elettronica,Telefono ufficio,Telefono abitazione,Cellulare,CAP abitazione,Città abitazione,Indirizzo ufficio,Società,Note",
        "Voornaam,Achternaam,Weergavenaam,E-mailadres,Telefoon werk,Telefoon thuis,Mobiel nummer,Postcode thuis,Woonplaats thuis,Adres werk,Organisatie,Opmerkingen",
        "Nome,Apelido,Nome completo,Endereço de correio eletrônico,Telefone do trabalho,Telefone residencial,Telemóvel,CEP residencial,Cidade residencial,Endereço comercial,Empresa,Notas",
        "Nome,Sobrenome,Nome completo,E-mail,Telefone comercial,Telefone residencial,Celular,CEP residencial,Cidade residencial,Endereço comercial,Empresa,Observações",
        "Imię,Nazwisko,Wyświetlana nazwa,Adres poczty elektronicznej,Telefon służbowy,Telefon domowy,Numer telefonu komórkowego,Kod pocztowy (dom),Miasto (dom),Adres służbowy,Firma,Uwagi",
        "Jméno,Příjmení,Zobrazované jméno,E-mailová adresa,Telefon do zaměstnání,Telefon domů,Mobilní telefon,PSČ domů,Město domů,Pracovní adresa,Společnost,Poznámky",
        "Имя,Фамилия,Отображаемое имя,Адрес эл. почты,Рабочий телефон,Домашний телефон,Мобильный телефон,Индекс (дом),Город (дом),Рабочий адрес,Организация,Заметки",
    ])
    func `columns are understood in other languages`(header: String) throws {
        let row = "Cora,Love,Cora Love,cora@x.org,+44 301 111,+44 301 222,+44 7700 1,12345,Town,Street 1,Love Ltd,hello"
        for separator in [",", ";", "\t"] {
            let text = "\(header)\n\(row)\n".replacing(",", with: separator)
            let reading = read("\u{FEFF}" + text)
            let details = try #require(reading.details.first)
            #expect(details.name == StructuredName(family: "Love", given: "Cora"))
            #expect(details.formattedName == "Cora Love")
            #expect(details.emails.map(\.value) == ["cora@x.org"])
            #expect(details.phones.map(\.label) == ["work", "home", "mobile"])
            #expect(details.phones.map(\.value) == ["+44 301 111", "+44 301 222", "+44 7700 1"])
            let home = details.addresses.first { $0.label == "home" }
            #expect(home?.postalCode == "12345" && home?.locality == "Town")
            #expect(details.addresses.first { $0.label == "work" }?.street == "Street 1")
            #expect(details.organization == ["Love Ltd"] && details.note == "hello" && details.others.isEmpty)
        }
    }

    @Test func `short tables of other languages and Outlook's own names are understood`() {
        func phones(_ text: String) -> [String] { read(text).details.flatMap { $0.phones.map(\.value) } }
        #expect(phones("Name;Telefon;E-Mail\nCora Love;+44 301 222;c@x.org\n") == ["+44 301 222"])
        #expect(phones("Vorname;Nachname;E-Mail-Adresse;Mobiltelefon\nA;B;a@x.org;1234567\n") == ["1234567"])
        let french = read("Nom,Téléphone\nCora Love,1234567\n").details.first
        #expect(french?.formattedName == "Cora Love" && french?.phones.count == 1)
        let outlook = read(
            "Anrede,Vorname,Weitere Vornamen,Nachname,Straße geschäftlich,Weitere/r Bundesland/Kanton,Land/Region privat,"
                + "Telefon geschäftlich 2,Telefon (privat),Fax privat,E-Mail-Adresse,E-Mail-Typ,E-Mail 2: Adresse,Geburtstag,"
                + "Webseite,Kategorien\nDr.,Ada,B.,Love,Str. 1,Bern,CH,+41 1,+41 2,+41 3,a@x.org,SMTP,b@x.org,10.12.1985,"
                + "https://x.org,Chess;Work\n"
        ).details.first
        #expect(outlook?.name == StructuredName(family: "Love", given: "Ada", additional: "B.", prefix: "Dr."))
        #expect(outlook?.phones.map(\.label) == ["work", "home", "home fax"])
        #expect(outlook?.emails.count == 2 && outlook?.tags == ["Chess", "Work"] && outlook?.others.isEmpty == true)
        let parts = read("Vorname,Nachname,E-Mail-Adresse,Geburtsjahr,Geburtsmonat,Geburtstag\nA,B,a@x,1985,12,10\n")
        #expect(parts.details.first?.birthday?.description == "1985-12-10")
    }

    @Test func `columns that are kept as text are named, and can be given a meaning`() throws {
        let table = Array("Name;Telefonszám;E-mail;Megjegyzés\nCora Love;+36 301 222;c@x.org;hi\nDan;;d@x.org;\n".utf8)
        func read(_ mapped: [String]) throws -> (details: [ContactDetails], notes: [String], columns: [String]) {
            var file = CardFileReader(mapped: try mapped.map { try #require(ColumnMapping($0)) })
            let cards = (file.feed(table) + file.finish()).compactMap { item -> ContactDetails? in
                if case .card(let raw) = item { Card(raw.bytes).details } else { nil }
            }
            return (cards, file.notes, file.unknownColumns)
        }
        let plain = try read([])
        #expect(plain.details.first?.others.map(\.value) == ["+36 301 222", "hi"])
        #expect(
            plain.notes == [
                "2 columns kept as text: Telefonszám, Megjegyzés; --map COLUMN=FIELD imports a column as a field"
            ])
        #expect(SearchText(try #require(plain.details.first)).digits == "36301222")
        let mapped = try read(["telefonszám=phone.mobile", "Megjegyzés=note"])
        #expect(mapped.details.first?.phones == [LabeledValue("+36 301 222", label: "mobile")])
        #expect(mapped.details.first?.note == "hi" && mapped.notes.isEmpty)
        let missing = try read(["Handy=phone"])
        #expect(missing.details.isEmpty && missing.columns == ["Name", "Telefonszám", "E-mail", "Megjegyzés"])
        for text in ["Handy", "Handy=fone", "=phone", "Handy=address.moon.city"] { #expect(ColumnMapping(text) == nil) }
        for text in ["Ort=address.city", "Ort=address.home.city", "A=B=address", "x=org.department"] {
            #expect(ColumnMapping(text) != nil)
        }
    }

    @Test func `each invalid row is reported with its line and the rest is read`() {
        let reading = read(
            """
            First Name,Last Name,E-mail Address
            Ada,"Lovelace,ada@example.org
            Jan,Kowal,jan@example.org,surplus
            ,,
            Zoe,"Mey"er,zoe@example.org
            ,,only@example.org
            """)
        #expect(reading.names == ["only@example.org"])
        #expect(reading.problems.map(\.line) == [2, 3, 5])
    }

    @Test func `a table with semicolons, as a German Outlook writes it`() {
        let reading = read("\u{FEFF}First Name;Last Name;E-mail Address\r\nJörg;Müller;j@example.org\r\n")
        #expect(reading.details.map(\.name.family) == ["Müller"])
    }
}
