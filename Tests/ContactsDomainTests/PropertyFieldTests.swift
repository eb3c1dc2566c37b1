import Testing

@testable import ContactsDomain

/// Relations, dates, gender, pronouns, languages, messengers, profiles and custom fields: typed, written, converted.
struct PropertyFieldTests {
    private func set(_ card: Card, _ arguments: String...) throws -> Card {
        var details = card.details
        for argument in arguments {
            try #require(try FieldAssignment(argument: argument)).apply(to: &details)
        }
        let update = card.updated(to: details, at: nil)
        // What is reported is what is stored.
        #expect(card.details.changes(to: details).count == update.changes.count)
        return update.card
    }

    private func card(_ version: String, _ lines: String...) -> Card {
        Card(
            (["BEGIN:VCARD", "VERSION:\(version)", "FN:Ada"] + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined())
    }

    private func lines(_ card: Card) -> [String] {
        Array(card.source.split(separator: "\r\n").map(String.init).dropFirst(3).dropLast())
    }

    @Test(arguments: [
        (
            "relation.spouse=Bob", ["item1.X-ABRELATEDNAMES:Bob", "item1.X-ABLabel:_$!<Spouse>!$_"],
            ["RELATED;VALUE=text;TYPE=spouse:Bob"]
        ),
        (
            "relation.godmother=Eve", ["item1.X-ABRELATEDNAMES:Eve", "item1.X-ABLabel:godmother"],
            ["item1.RELATED;VALUE=text:Eve", "item1.X-ABLabel:godmother"]
        ),
        (
            "relation.co-worker=urn:uuid:7", ["item1.RELATED:urn:uuid:7", "item1.X-ABLabel:co-worker"],
            ["RELATED;TYPE=co-worker:urn:uuid:7"]
        ),
        ("gender=female", ["GENDER:F"], ["GENDER:F"]), ("gender=O;fluid", ["GENDER:O;fluid"], ["GENDER:O;fluid"]),
        ("gender=agender", ["GENDER:;agender"], ["GENDER:;agender"]),
        ("pronouns=she/her", ["PRONOUNS:she/her"], ["PRONOUNS:she/her"]),
        ("language=de, pt-BR", ["LANG:de", "LANG:pt-BR"], ["LANG:de", "LANG:pt-BR"]),
        (
            "date.first-met=2020-01-02", ["item1.X-ABDATE:2020-01-02", "item1.X-ABLabel:first met"],
            ["item1.X-ABDATE:20200102", "item1.X-ABLabel:first met"]
        ),
        (
            "custom.shoe-size=43", ["item1.X-HUB-FIELD:43", "item1.X-ABLabel:shoe size"],
            ["item1.X-HUB-FIELD:43", "item1.X-ABLabel:shoe size"]
        ),
        ("x-foo=a,b;c", ["X-FOO:a\\,b;c"], ["X-FOO:a\\,b;c"]), ("custom.X-FOO=bar", ["X-FOO:bar"], ["X-FOO:bar"]),
        ("im.jabber=a@j.org", ["IMPP;X-SERVICE-TYPE=Jabber:xmpp:a@j.org"], ["IMPP;X-SERVICE-TYPE=Jabber:xmpp:a@j.org"]),
        ("im.skype=joe", ["IMPP;X-SERVICE-TYPE=Skype:skype:joe"], ["IMPP;X-SERVICE-TYPE=Skype:skype:joe"]),
        (
            "im.matrix=@a:b.org", ["IMPP;X-SERVICE-TYPE=Matrix:matrix:u/a:b.org"],
            ["IMPP;X-SERVICE-TYPE=Matrix:matrix:u/a:b.org"]
        ),
        (
            "im.work-skype=joe", ["IMPP;TYPE=WORK;X-SERVICE-TYPE=Skype:skype:joe"],
            ["IMPP;TYPE=work;X-SERVICE-TYPE=Skype:skype:joe"]
        ),
        (
            "im.twitter=https://twitter.com/ada", ["X-SOCIALPROFILE;TYPE=twitter:https://twitter.com/ada"],
            ["SOCIALPROFILE;SERVICE-TYPE=Twitter:https://twitter.com/ada"]
        ),
        ("im=xmpp:a@j.org", ["IMPP:xmpp:a@j.org"], ["IMPP:xmpp:a@j.org"]),
        ("url=x.org/a", ["URL:https://x.org/a"], ["URL:https://x.org/a"]),
        ("url.work=http://x.org", ["URL;TYPE=WORK:http://x.org"], ["URL;TYPE=work:http://x.org"]),
    ])
    func `a typed field is written in the form of the version and of phones`(
        argument: String, third: [String], fourth: [String]
    ) throws {
        for (version, expected) in [("3.0", third), ("4.0", fourth)] {
            let made = try set(card(version), argument)
            #expect(lines(made) == expected, "\(version)")
            // The same value again changes nothing; empty removes it with its label.
            let name = String(try #require(argument.split(separator: "=").first))
            let again = made.updated(to: made.details, at: nil)
            #expect(again.changes.isEmpty && again.card == made)
            #expect(lines(try set(made, "\(name)=")) == [], "\(version)")
        }
    }

    @Test(arguments: [
        ("url=foo", "not a web address"), ("url=a b.org", "not a web address"), ("im=joe", "the messenger is unknown"),
        ("im.home=joe", "the messenger is unknown"), ("custom=x", "a field of your own needs a name"),
        ("custom.X-ABDATE=x", "X-ABDATE is a property of another field"),
        ("language=german!", "\"german!\" is not the tag of a language"), ("gender=Q;x", "unknown gender \"Q\""),
        ("date.met=soon", "not a date"),
    ])
    func `an invalid value is rejected with a reason`(argument: String, message: String) throws {
        let error = #expect(throws: FieldAssignment.ParseError.self) { _ = try set(card("3.0"), argument) }
        #expect(error?.message.contains(message) == true || argument.hasPrefix("date"), "\(error?.message ?? "")")
    }

    @Test func `values of other programs are read, changed in place and kept when another is added`() throws {
        let old = card(
            "3.0", "X-GENDER:M", "URL:foo", "IMPP:joe", "X-FOO;TYPE=x:a;b", "X-MAIDENNAME:King",
            "item1.X-ABDATE;type=pref:2001-02-03",
            "item1.X-ABLabel:_$!<Other>!$_", "item2.X-ABRELATEDNAMES:Eve", "item2.X-ABLabel:_$!<Mother>!$_")
        let details = old.details
        #expect(details.gender == "M" && details.relations == [LabeledValue("Eve", label: "mother")])
        #expect(details.dates.map(\.label) == ["other"] && details.others.map(\.name) == ["X-FOO", "X-MAIDENNAME"])
        let new = try set(
            old, "gender=F", "url+=x.org", "im.icq+=12", "x-foo=c;d", "custom.X-MAIDENNAME=Love",
            "date.other=2001-02-04",
            "relation.mother=Ann", "relation.father+=Bob")
        #expect(
            lines(new) == [
                "X-GENDER:F", "URL:foo", "URL:https://x.org", "IMPP:joe", "IMPP;X-SERVICE-TYPE=ICQ:icq:12",
                "X-FOO;TYPE=x:c;d",
                "X-MAIDENNAME:Love", "item1.X-ABDATE;type=pref:2001-02-04", "item1.X-ABLabel:_$!<Other>!$_",
                "item2.X-ABRELATEDNAMES:Ann", "item2.X-ABLabel:_$!<Mother>!$_", "item3.X-ABRELATEDNAMES:Bob",
                "item3.X-ABLabel:_$!<Father>!$_",
            ])
        #expect(try set(new, "im-=12", "x-foo=e").details.customFields.map(\.value).sorted() == ["Love", "e"])
    }

    @Test func `relations and profiles change their form with the version, without loss`() throws {
        let third = card(
            "3.0", "item1.X-ABRELATEDNAMES;type=pref:Bob", "item1.X-ABLabel:_$!<Spouse>!$_",
            "item2.X-ABRELATEDNAMES:Eve",
            "item2.X-ABLabel:_$!<Mother>!$_", "X-ABRELATEDNAMES:Zoe",
            "X-SOCIALPROFILE;type=twitter;x-user=ada:https://twitter.com/ada",
            "X-SOCIALPROFILE;type=home;type=myspace:ada")
        let fourth = third.converted(to: .v4)
        #expect(
            lines(fourth) == [
                "RELATED;TYPE=spouse;PREF=1;VALUE=text:Bob", "item2.RELATED;VALUE=text:Eve",
                "item2.X-ABLabel:_$!<Mother>!$_",
                "RELATED;VALUE=text:Zoe", "SOCIALPROFILE;SERVICE-TYPE=twitter;USERNAME=ada:https://twitter.com/ada",
                "SOCIALPROFILE;TYPE=home;SERVICE-TYPE=myspace;VALUE=text:ada",
            ])
        let back = fourth.converted(to: .v3)
        #expect(
            back.details.relations == third.details.relations && back.details.messengers == third.details.messengers)
        #expect(
            fourth.details.relations == third.details.relations && fourth.details.messengers == third.details.messengers
        )
        #expect(lines(back.converted(to: .v4)) == lines(fourth))
        let standard = card(
            "4.0", "RELATED;TYPE=friend,emergency;VALUE=text:Bob", "RELATED;TYPE=parent:urn:uuid:7", "GENDER:F")
        #expect(lines(standard.converted(to: .v3).converted(to: .v4)) == lines(standard))
        #expect(standard.converted(to: .v3).source.contains("X-ABLabel:friend emergency\r\n"))
    }

    @Test func `the form of the editor shows all of them, and reads them back`() throws {
        let made = try set(
            card("3.0"), "relation.spouse=Bob", "gender=F", "pronouns=she/her", "language=de, en",
            "date.first-met=2020-01-02",
            "custom.shoe-size=43", "x-foo=bar", "im.jabber=a@j.org", "date+=2021-01-02")
        let form = ContactForm(made.details, title: "Ada").text
        for line in [
            "relation:  spouse", "date:      first met", "custom:    shoe size", "custom:    X-FOO",
            "pronouns:  she/her",
        ] {
            #expect(form.contains(line), "\(line)")
        }
        let reading = ContactForm.read(form, editing: made.details)
        #expect(reading.problems.isEmpty && reading.details == made.details)
        let changed = ContactForm.read(form.replacing("43", with: "44"), editing: made.details).details
        #expect(changed.customFields.first?.value == "44")
        #expect(
            SearchText(made.details).note.contains("first met") && SearchText(made.details).note.contains("shoe size"))
    }
}

/// Card details that older programs write in their own ways.
struct ReadingTests {
    private func card(_ version: String, _ lines: String...) -> Card {
        Card((["BEGIN:VCARD", "VERSION:\(version)", "FN:A"] + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined())
    }

    @Test func `the reading of a name by a phone is text, not a sound`() {
        let old = card("2.1", "SOUND;X-IRMC-N;CHARSET=UTF-8:タナカ;タロウ;;;")
        #expect(old.details.others.map(\.value) == ["タナカ;タロウ;;;"])
        for version in [VCardVersion.v3, .v4] {
            let new = old.exported(as: version).source
            #expect(new.contains("X-PHONETIC-LAST-NAME:タナカ\r\nX-PHONETIC-FIRST-NAME:タロウ\r\n") && !new.contains("SOUND"))
        }
        #expect(card("2.1", "SOUND;WAVE;BASE64:AAAA").exported(as: .v3).source.contains("SOUND"))
    }

    @Test func `escaped separators in types part the types`() {
        let card = card("3.0", "EMAIL;TYPE=INTERNET\\,WORK:a@b.c", "TEL;TYPE=WORK\\;VOICE\\;PREF:1")
        #expect(card.details.emails.map(\.label) == ["work"] && card.details.phones.map(\.label) == ["work"])
        #expect(card.details.phones.first?.preference == 1)
        #expect(!card.exported(as: .v4).source.contains("\\"))
    }

    @Test func `several values of one field in a command are all its values`() throws {
        func applied(_ words: String...) throws -> ContactDetails {
            var details = ContactDetails()
            let parsed = try words.compactMap { try FieldAssignment(argument: $0) }
            for assignment in try FieldAssignment.combined(parsed) { try assignment.apply(to: &details) }
            return details
        }
        #expect(try applied("phone=1", "phone=3").phones.map(\.value) == ["1", "3"])
        #expect(try applied("tag=a", "tag=b").tags == ["a", "b"])
        #expect(throws: FieldAssignment.ParseError.self) { _ = try applied("title=a", "title=b") }
    }

    @Test func `the record of merged cards stays here`() {
        let card = card("3.0", "UID:a", "X-HUB-MERGED-UID:b", "NOTE:x", "N:A;;;;")
        #expect(!String(decoding: OutgoingCard(card, versions: ["3.0"]).bytes, as: UTF8.self).contains("X-HUB-MERGED"))
        #expect(!card.exported(as: .v3).source.contains("X-HUB-MERGED") && card.saysSame(as: card.exported(as: .v3)))
    }
}
