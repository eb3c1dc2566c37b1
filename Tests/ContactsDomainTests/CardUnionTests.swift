import ContactsDomain
import TestSupport
import Testing
import Text

struct CardUnionTests {
    private func merged(_ left: Card, _ right: Card, taking: Set<MergeField> = []) -> CardUnion {
        CardUnion(left, with: right, remembering: nil, taking: taking, region: CallingCode(region: "PL"), at: nil)
    }

    @Test func `lists become the union, kinds are joined, and nothing else is touched`() {
        let left = card(
            "FN:Ada Lovelace", "N:Lovelace;Ada;;;", "TEL;TYPE=CELL:+48 601 234 567", "EMAIL:ada@example.org",
            "X-odd;x=Y:  kept ", "ADR;TYPE=HOME:;;Long St 5;Town;;12345;", "URL:HTTP://Example.org/", "CATEGORIES:a,b",
            "NICKNAME:Countess")
        let right = card(
            "FN:Ada Lovelace", "TEL;TYPE=WORK,VOICE:601234567", "TEL;TYPE=HOME:22 123 45 67",
            "EMAIL;TYPE=HOME:ADA@EXAMPLE.ORG", "EMAIL:king@example.org", "ADR:;;long  st 5;town;;12345",
            "URL:http://example.org", "CATEGORIES:B,c", "X-ODD;x=Y:  kept ", "X-MORE:1", "NICKNAME:countess,Enchantress"
        )
        let merge = merged(left, right)
        #expect(
            merge.card.lines == [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Ada Lovelace", "N:Lovelace;Ada;;;",
                "TEL;TYPE=CELL,WORK,VOICE:+48 601 234 567", "TEL;TYPE=HOME:22 123 45 67",
                "EMAIL;TYPE=HOME:ada@example.org", "EMAIL:king@example.org", "X-odd;x=Y:  kept ",
                "ADR;TYPE=HOME:;;Long St 5;Town;;12345;", "URL:HTTP://Example.org/", "CATEGORIES:a,b,c",
                "NICKNAME:Countess,Enchantress", "X-MORE:1", "END:VCARD",
            ])
        #expect(merge.conflicts == [])
        #expect(merged(merge.card, right).card == merge.card, "the second time there is nothing new")
    }

    @Test func `a value under two labels keeps both`() {
        let merge = merged(
            card("FN:A", "TEL;TYPE=WORK:1234567"),
            card("FN:A", "item1.TEL:1234567", "item1.X-ABLabel:Boat", "EMAIL;TYPE=WORK:a@x", "EMAIL;TYPE=HOME:a@x"))
        let details = merge.card.details
        #expect(details.phones.map(\.label) == ["work", "Boat"] && details.emails.map(\.label) == ["work", "home"])
        let again = card(
            "FN:A", "item1.TEL:1234567", "item1.X-ABLabel:Boat", "EMAIL;TYPE=WORK:a@x", "EMAIL;TYPE=HOME:a@x")
        #expect(merged(merge.card, again).card == merge.card)
    }

    @Test func `single values stay, fill what is empty, or are chosen`() {
        let left = card("FN:Ada Lovelace", "N:;;;;", "ORG:", "TITLE:Poet", "BDAY:--1210")
        let right = card("FN:Ada King", "N:King;Ada;;;", "ORG:Engine;Notes", "TITLE:Countess", "BDAY:1815-12-10")
        let merge = merged(left, right)
        #expect(merge.conflicts.map(\.field) == [.name, .title])
        #expect(merge.conflicts.last == MergeConflict(.title, kept: "Poet", dropped: "Countess"))
        #expect(
            merge.card.lines == [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Ada Lovelace", "N:;;;;", "ORG:Engine;Notes", "TITLE:Poet",
                "BDAY:1815-12-10", "END:VCARD",
            ])
        let taken = merged(left, right, taking: [.name])
        #expect(taken.conflicts.map(\.field) == [.title])
        #expect(taken.card.details.formattedName == "Ada King")
        #expect(taken.card.details.name == StructuredName(family: "King", given: "Ada"))
        let turned = merged(right, left)
        #expect(turned.card.details.birthday?.description == "1815-12-10", "the whole date is no conflict")
    }

    @Test func `an N comes to an equal FN`() {
        let merge = merged(card("FN:Ada Lovelace"), card("FN:Ada Lovelace", "N:Lovelace;Ada;;;"))
        #expect(merge.conflicts == [])
        #expect(merge.card.details.name.family == "Lovelace")
    }

    @Test func `groups are renumbered with their labels`() {
        let left = card("FN:A", "item1.TEL:1111111", "item1.X-ABLabel:Boat", "EMAIL:a@x.org")
        let right = card(
            "FN:A", "item1.EMAIL:b@x.org", "item1.X-ABLabel:Study", "ITEM2.X-ABRELATEDNAMES:Bob",
            "item2.X-ABLabel:_$!<Brother>!$_", "item3.EMAIL:A@x.org", "item3.X-ABLabel:Attic")
        let merge = merged(left, right)
        let details = merge.card.details
        #expect(details.phones == [LabeledValue("1111111", label: "Boat")])
        #expect(details.emails == [LabeledValue("a@x.org", label: "Attic"), LabeledValue("b@x.org", label: "Study")])
        #expect(details.relations == [LabeledValue("Bob", label: "brother")])
        #expect(merged(merge.card, right).card == merge.card)
    }

    @Test func `notes are concatenated without duplicates`() {
        let merge = merged(card("FN:A", "NOTE:one"), card("FN:A", "NOTE:two\\nlines"))
        #expect(merge.card.details.note == "one\n\ntwo\nlines")
        #expect(merged(merge.card, card("FN:A", "NOTE:two\\nlines")).card == merge.card)
        #expect(merged(card("FN:A"), card("FN:A", "NOTE:two")).card.details.note == "two")
    }

    @Test func `of two pictures the larger one is kept, whatever its bytes weigh`() {
        // The first bytes of two GIF files: 2 × 3 and 300 × 200 pixels.
        let small = "PHOTO;ENCODING=b;TYPE=GIF:R0lGODlhAgADAAAAAAAAAAAAAAAAAAAA"
        let large = "PHOTO;ENCODING=b;TYPE=GIF:R0lGODlhLAHIAA=="
        for (left, right) in [(small, large), (large, small)] {
            let merge = merged(card("FN:A", left), card("FN:A", right))
            #expect(merge.card.lines.filter { $0.hasPrefix("PHOTO") } == [large])
        }
        #expect(merged(card("FN:A"), card("FN:A", small)).card.lines.contains(small))
        let link = "PHOTO;VALUE=uri:https://example.org/a.gif"
        #expect(merged(card("FN:A", link), card("FN:A", large)).card.lines.contains(link))
    }

    @Test(arguments: [
        ("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAU", 200),
        // A JPEG with an application segment before its frame header.
        ("/9j/4AAEAAD/wAARCAAFAAcDAREAAhEBAxEB", 35), ("R0lGODlhAgADAA==", 6), ("AAAA", nil), ("", nil),
    ])
    func `the size of a picture is read from its first bytes`(base64: String, area: Int?) {
        let wide = "PHOTO;ENCODING=b;TYPE=GIF:R0lGODlhAQABAA=="
        let merge = merged(card("FN:A", wide), card("FN:A", "PHOTO;ENCODING=b:\(base64)"))
        #expect(merge.card.lines.contains(wide) == (area == nil))
    }

    @Test func `what was merged is remembered and known again`() throws {
        let left = card("FN:A", "UID:1")
        let right = card("FN:A", "UID:2", "TEL:1234567")
        let source = MergedSource(uid: "2", content: -5)
        let merge = CardUnion(left, with: right, remembering: source, at: 0)
        #expect(merge.card.lines.contains("X-HUB-MERGED-UID;X-HUB-CONTENT=fffffffffffffffb:2"))
        #expect(merge.card.details.mergedSources == [source])
        #expect(merge.card.details.uidText == "1")
        #expect(merge.card.details.others == [])
        #expect(CardUnion(merge.card, with: right, remembering: source, at: 9).card == merge.card)
        // Merged on, it takes along what it remembers.
        let next = CardUnion(
            card("FN:A", "UID:3"), with: merge.card, remembering: MergedSource(uid: "1", content: 7), at: 0)
        #expect(Set(next.card.details.mergedSources) == [source, MergedSource(uid: "1", content: 7)])
        let newer = CardUnion(merge.card, with: right, remembering: MergedSource(uid: "2", content: 8), at: 0)
        #expect(newer.card.details.mergedSources == [MergedSource(uid: "2", content: 8)])
    }

    @Test func `a card of another version is merged in the words of the first`() {
        let old = Card("BEGIN:VCARD\r\nVERSION:2.1\r\nN:Müller;Jörg\r\nTEL;CELL;PREF:1234567\r\nEND:VCARD\r\n")
        let new = card("FN:Jörg Müller", "EMAIL;PREF=1:j@x.org", "TEL;VALUE=uri:tel:+49301234567", version: "4.0")
        let merge = merged(new, old)
        #expect(merge.card.version == .v4)
        #expect(merge.card.lines.contains("TEL;TYPE=cell;PREF=1:1234567") || merge.card.source.contains("1234567"))
        let turned = merged(old, new)
        #expect(turned.card.version == .v2)
        #expect(turned.card.details.emails.map(\.value) == ["j@x.org"])
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `no value and no line is ever lost, and merging again changes nothing`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let samples = Samples.everyCard
        for _ in 0..<20 {
            guard let left = samples.randomElement(using: &random), let right = samples.randomElement(using: &random)
            else { return }
            let (first, second) = (shuffled(left, &random), shuffled(right, &random))
            let merge = merged(first, second)
            let comment: Comment = "seed \(seed)\n\(first.source)\n\(second.source)\n\(merge.card.source)"
            for part in [first, second] { expectAll(of: part, in: merge.card, comment) }
            #expect(merge.card.version == first.version, comment)
            #expect(merged(merge.card, second).card == merge.card, comment)
            #expect(merged(first, first).card == first, comment)
        }
    }

    /// The card with some of its lines gone.
    private func shuffled(_ card: Card, _ random: inout SeededGenerator) -> Card {
        var bytes: [UInt8] = []
        for property in card.properties {
            let isFrame = [PropertyKind.begin, .end, .version].contains(property.kind)
            if isFrame || Int.random(in: 0..<4, using: &random) > 0 { bytes += card.bytes[property.line] }
        }
        return Card(bytes)
    }

    private func expectAll(of part: Card, in whole: Card, _ comment: Comment) {
        let (some, all) = (part.converted(to: whole.version).details, whole.details)
        func folded(_ values: [String]) -> Set<String> { Set(values.map { $0.lowercased() }) }
        func numbers(_ details: ContactDetails) -> Set<String> {
            Set(
                details.phones.map { phone in
                    let number = PhoneNumber(phone.value, region: CallingCode(region: "PL"))
                    return number.digits.isEmpty ? phone.value : (number.e164 ?? number.digits)
                })
        }
        #expect(numbers(some).isSubset(of: numbers(all)), comment)
        #expect(folded(some.emails.map(\.value)).isSubset(of: folded(all.emails.map(\.value))), comment)
        #expect(folded(some.messengers.map(\.value)).isSubset(of: folded(all.messengers.map(\.value))), comment)
        #expect(folded(some.tags).isSubset(of: folded(all.tags)), comment)
        #expect(folded(some.nicknames).isSubset(of: folded(all.nicknames)), comment)
        #expect(folded(some.addresses.map(\.formatted)).isSubset(of: folded(all.addresses.map(\.formatted))), comment)
        // Of pictures the larger one is kept, and of what is long only the size is shown, which folds change.
        let unknown = some.others.filter { $0.name.uppercased() != "PHOTO" && !$0.value.hasSuffix(" bytes") }
        for other in unknown {
            #expect(
                all.others.contains { $0.name.uppercased() == other.name.uppercased() && $0.value == other.value },
                comment)
        }
        for block in some.note.split(separator: "\n\n") { #expect(all.note.contains(block), comment) }
    }
}
