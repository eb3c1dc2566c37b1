import ContactsDomain
import TestSupport
import Testing

struct CardConversionTests {
    /// The details without what a version cannot say or says in other words.
    private func comparable(_ card: Card) -> ContactDetails {
        var details = card.details
        details.others = []
        return details
    }

    @Test(arguments: Samples.all.map(\.name))
    func `every card means the same in 3 and 4`(name: String) {
        for card in Samples.cards(name) {
            let three = card.converted(to: .v3)
            let four = three.converted(to: .v4)
            let back = four.converted(to: .v3)
            #expect(four.version == .v4)
            #expect(comparable(three) == comparable(four))
            #expect(comparable(three) == comparable(back))
            #expect(back.converted(to: .v4) == four)
            if card.version != .v4 { #expect(comparable(card) == comparable(three)) }
        }
    }

    @Test(arguments: [
        "BDAY:1985-04-12T10\\nTEL:1", "BDAY:1985-04-12T10:00\\nEND:VCARD", "ANNIVERSARY:2000-01-01T1\\nTEL:1",
        "GEO:geo:1\\,2;u=3\\nTEL:1", "GEO:1;2;3\\nTEL:1", "REV:2020-01-01T00:00:00\\nTEL:1", "TZ:+01:00\\nTEL:1",
    ])
    func `no text becomes a line of its own in another version`(line: String) {
        for version in [VCardVersion.v2, .v3, .v4] {
            for target in [VCardVersion.v2, .v3, .v4] {
                let card = Card(
                    Array("BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\nFN:A\r\n\(line)\r\nEND:VCARD\r\n".utf8))
                let converted = card.converted(to: target)
                #expect(converted.details.phones.isEmpty)
                #expect(converted.exported(as: target).details.phones.isEmpty)
                #expect(converted.properties.count { $0.kind == .end } == 1)
            }
        }
    }

    @Test(arguments: Samples.all.map(\.name))
    func `every card can be written as 2`(name: String) {
        for card in Samples.cards(name) {
            let old = card.converted(to: .v2)
            #expect(old.lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
            #expect(old.details.phones == card.details.phones)
            #expect(old.details.name == card.details.name)
            #expect(old.details.note == card.details.note)
        }
    }

    @Test(arguments: [
        ("TEL;TYPE=home,pref:1", "TEL;TYPE=home;PREF=1:1"),
        ("PHOTO;ENCODING=b;TYPE=JPEG:AAAA", "PHOTO:data:image/jpeg;base64,AAAA"),
        ("PHOTO;VALUE=uri:http://example.org/a.png", "PHOTO:http://example.org/a.png"),
        ("KEY;ENCODING=b;TYPE=PGP:AAAA", "KEY:data:application/pgp-keys;base64,AAAA"),
        ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15", "BDAY:--0415"), ("BDAY:1985-04-15", "BDAY:19850415"),
        ("X-ANNIVERSARY:2000-01-02", "ANNIVERSARY:20000102"), ("X-ABShowAs:COMPANY", "KIND:org"),
        ("X-ADDRESSBOOKSERVER-KIND:group", "KIND:group"),
        ("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1", "MEMBER:urn:uuid:1"),
        ("LABEL;TYPE=home:a\\nb", "X-LABEL;TYPE=home:a\\nb"), ("CLASS:PUBLIC", "X-CLASS:PUBLIC"),
        ("X-WHO;KNOWS=1:a\\,b;c", "X-WHO;KNOWS=1:a\\,b;c"), ("item1.TEL:2", "item1.TEL:2"),
    ])
    func `3 and 4 have their own words`(three: String, four: String) {
        #expect(card(three).converted(to: .v4).lines[2] == four)
        #expect(card(four, version: "4.0").converted(to: .v3).lines[2] == three)
    }

    @Test func `a sort string becomes a parameter and comes back`() {
        let three = card("FN:A B", "N:B;A;;;", "SORT-STRING:Zed")
        let four = three.converted(to: .v4)
        #expect(four.lines.contains("N;SORT-AS=\"Zed\":B;A;;;"))
        #expect(four.converted(to: .v3).lines.contains("SORT-STRING:Zed"))
    }

    @Test func `an Android card becomes a clean one`() throws {
        let three = try #require(Samples.cards("android").first).converted(to: .v3)
        #expect(three.lines.contains("TEL;TYPE=CELL,pref:601234567"))
        #expect(three.lines.contains("NOTE:First line\\nsecond line"))
        #expect(three.lines.contains("N:Żółć;Łukasz;;;"))
        #expect(three.lines.contains { $0.hasPrefix("PHOTO;ENCODING=b;TYPE=JPEG:/9j/") })
        #expect(three.lines.contains { $0.hasPrefix("X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Luki;1;") })
    }

    /// Lines as programs write them, each of which is wrong in one of the versions.
    private static let oddLines: [[String]] = [
        ["TEL;HOME;PREF:1"], ["NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=C3=9Fe"], ["FN:Mustermann, Heiko"],
        ["NOTE:a;b,c\\:d\\x"], ["ORG:Acme, Inc.;Sales"], ["BDAY:1953-10-15T23:10:00Z"], ["BDAY:"], ["BDAY:0000-00-00"],
        ["BDAY:soon"], ["ANNIVERSARY:20090808T1430-0500"], ["GEO:37.38;-122.08"], ["TZ:-05:00"], ["TZ:Europe/Warsaw"],
        ["X-ABShowAs:INDIVIDUAL"], ["X-ABShowAs:COMPANY", "X-ADDRESSBOOKSERVER-KIND:group"],
        ["IMPP;TYPE=\"very special, custom IM:\":aim:x"], ["EMAIL;TYPE=\"home,work\":a@b.c"],
        ["KEY;TYPE=PGP:http://x.example/k"],
        ["KEY;TYPE=PGP:-----BEGIN PGP-----"], ["KEY;ENCODING=b;TYPE=X509:AAAA"],
        ["X-MS-CARDPICTURE;TYPE=GIF;ENCODING=BASE64:R0lGODlh"], ["PHOTO;BASE64;JPEG:/9j/AAAA"],
        ["PHOTO;TYPE=JPEG:/9j/AAAA"],
        ["PHOTO;TYPE=JPEG;VALUE=uri:http://x.example/a"], ["REV:1995-10-31T22:27:10.5Z"], ["REV:never"],
        ["X_ODD NAME;a b=c;d=\"e:1"], ["no line of a card"], [":no name"], ["X-A;P=\"a;b\",c:1"], ["TEL;PREF=0:1"],
        ["URL:http\\://x.example/a"], ["AGENT:BEGIN:VCARD\\nFN:Susan\\nEND:VCARD\\n"], ["NICKNAME:a\\,b,c"],
        ["ADR;HOME:;;1 High St, Flat 2;Town;;;"], ["SORT-STRING:Zed"], ["CLASS:PUBLIC"], ["TEL;VALUE=uri:tel:+1;ext=2"],
        ["item1.X-ABDATE:2000-01-02", "item1.X-ABLabel:_$!<Anniversary>!$_"], ["NOTE:tab\there\u{1}"],
    ]

    private func corpus() -> [Card] {
        let odd = Self.oddLines.flatMap { lines in
            ["2.1", "3.0", "4.0"].map { version in
                Card((["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\n"))
            }
        }
        let latin = Card(
            Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:M".utf8) + [0xFC] + Array("ller\r\nEND:VCARD\r\n".utf8))
        return Samples.everyCard + odd + [latin]
    }

    @Test func `every card is exported in the grammar of 3 and 4`() {
        for card in corpus() {
            for version in [VCardVersion.v3, .v4] {
                let exported = card.exported(as: version)
                let strict = StrictVCard(exported.bytes, version: version.rawValue)
                #expect(strict.breaches.isEmpty, "\(version): \(card.source)")
                #expect(exported.exported(as: version) == exported, "\(card.source)")
            }
        }
    }

    @Test func `what others change in the valid card that was sent comes into the card as it was written`() {
        for card in corpus() {
            let sent = Card(OutgoingCard(card, versions: ["3.0"], isStrict: true).bytes)
            #expect(StrictVCard(sent.bytes, version: "3.0").breaches.isEmpty, "\(card.source)")
            var details = sent.details
            details.emails.append(LabeledValue("new@example.org"))
            let theirs = sent.updated(to: details, at: nil).card
            let merge = CardMerge(ours: card, ourBase: card, theirBase: sent, theirs: theirs)
            #expect(merge.conflicts.isEmpty, "\(card.source)")
            #expect(merge.card.details.emails.contains { $0.value == "new@example.org" }, "\(card.source)")
            #expect(card.properties.allSatisfy { merge.card.bytes.contains(card.bytes[$0.line]) }, "\(card.source)")
        }
    }

    @Test func `no word of a card is lost in 3 and 4, and none in the other one after it`() {
        /// Runs of letters and digits, without what a version adds by itself.
        func words(_ text: String) -> [String] {
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        for card in corpus() {
            for (first, second) in [(VCardVersion.v3, VCardVersion.v4), (.v4, .v3)] {
                let once = card.exported(as: first)
                for exported in [once, once.exported(as: second)] {
                    let strict = StrictVCard(exported.bytes, version: exported.version.rawValue)
                    let found = strict.lines.map { line in
                        let parameters = line.parameters.flatMap { [$0.name] + $0.values }
                        return
                            ([line.name] + parameters + [
                                line.value.replacing("\\n", with: " ").replacing("\\", with: "")
                            ])
                            .joined(separator: " ").lowercased()
                    }.joined(separator: "\n")
                    let compact = found.filter { $0.isLetter || $0.isNumber }
                    for property in card.properties {
                        if [.begin, .end, .version, .appleLabel, .appleShowAs, .kind, .revision].contains(property.kind)
                        {
                            continue
                        }
                        for word in words(card.text(property)) where word != "0000" && word != "00" {
                            // A year that means nothing, and the words of a data link.
                            if property.kind.isDate, word.hasPrefix("1604") { continue }
                            if property.kind.isBinary, ["data", "image", "base64"].contains(word) { continue }
                            #expect(compact.contains(word), "\(word) of \(card.source)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ("GEO:37.38;-122.08", "GEO:geo:37.38,-122.08"), ("TZ:-05:00", "TZ;VALUE=utc-offset:-0500"),
        ("BDAY:1953-10-15T23:10:00Z", "BDAY:19531015T231000Z"), ("X-ABShowAs:INDIVIDUAL", "X-ABShowAs:INDIVIDUAL"),
        ("KEY;VALUE=uri;TYPE=PGP:http://x.example/k", "KEY;MEDIATYPE=application/pgp-keys:http://x.example/k"),
        (
            "X-MS-CARDPICTURE;ENCODING=b;TYPE=GIF:R0lGODlh",
            "X-MS-CARDPICTURE;VALUE=uri:data:image/gif;base64,R0lGODlh"
        ),
        ("IMPP;TYPE=\"very special, custom IM:\":aim:x", "IMPP;TYPE=\"very special, custom IM:\":aim:x"),
        ("FN:Mustermann\\, Heiko", "FN:Mustermann\\, Heiko"),
    ])
    func `values go from 3 to 4 and back`(three: String, four: String) {
        #expect(card(three).converted(to: .v4).lines[2...].dropLast().joined() == four)
        #expect(card(four, version: "4.0").converted(to: .v3).lines[2] == three)
    }

    @Test func `what is missing is made, and what 2 writes otherwise becomes clean`() {
        let plain = card("EMAIL:a@b.c").exported(as: .v3)
        #expect(plain.lines.contains("FN:a@b.c") && plain.lines.contains("N:;;;;"))
        #expect(card("ORG:Acme").exported(as: .v4).lines.contains("FN:Acme"))
        #expect(
            card("FN:Mustermann, Heiko", "TEL;HOME:1").exported(as: .v3).lines.dropLast() == [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Mustermann\\, Heiko", "N:;;;;", "TEL;TYPE=HOME:1",
            ])
        // 2.1 writes the longitude first.
        let old = card("GEO:37.24,-17.87", version: "2.1")
        #expect(old.converted(to: .v3).lines[2] == "GEO:-17.87;37.24")
        #expect(old.converted(to: .v4).lines[2] == "GEO:geo:-17.87,37.24")
        #expect(old.converted(to: .v4).converted(to: .v2).lines[2] == "GEO:37.24,-17.87")
        let agent = card("AGENT:", "BEGIN:VCARD", "FN:Susan", "END:VCARD", "TEL:1", version: "2.1").exported(as: .v4)
        #expect(agent.lines.contains("X-AGENT:BEGIN:VCARD\\nFN:Susan\\nEND:VCARD"))
        let json = String(decoding: JCardWriter(isSingle: true).copy(card("TZ:-05:00", "FN:A")), as: UTF8.self)
        #expect(json.contains("[\"tz\",{},\"utc-offset\",\"-05:00\"]"))
    }
}

extension JCardWriter {
    fileprivate func copy(_ card: Card) -> [UInt8] {
        var writer = self
        return writer.add(card, id: "x")
    }
}
