import ContactsDomain
import TestSupport
import Testing

struct CardMergeTests {
    private let base = card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:1", "TEL;TYPE=HOME:9", "NOTE:old", "X-A:  kept")

    private func merge(_ ours: Card, _ theirs: Card, _ choice: CardMerge.Choice? = nil) -> CardMerge {
        CardMerge(ours: ours, ourBase: base, theirBase: base, theirs: theirs, choice: choice)
    }

    @Test func `rewriting by a server is not a change`() {
        let theirs = card(
            "PRODID:x", "REV:2020", "X-RADICALE-NAME:1", "x-a:kept", "note:old", "tel;type=home:9",
            "TEL;type=\"cell\":1",
            "n:;Ann", "FN:An", " n", lineEnd: "\n")
        #expect(base.saysSame(as: theirs) && theirs.saysSame(as: base))
        #expect(merge(base, theirs).card.bytes == base.bytes)
        #expect(card("NOTE:a\\,b\\;c\\:d\\Ne").saysSame(as: card("NOTE:a,b;c:d\\ne")))
        #expect(card("UID:urn:uuid:1", "FN:x").saysSame(as: card("FN:x", "UID:1")))
        #expect(!card("TEL;TYPE=CELL:1").saysSame(as: card("TEL;TYPE=HOME:1")))
        #expect(!card("TEL:1", "TEL:1").saysSame(as: card("TEL:1")))
    }

    @Test func `cards of two versions say the same`() {
        let old = card("FN:Ann", "TEL;TYPE=CELL,pref:1", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15")
        let new = card("FN:Ann", "TEL;TYPE=cell;PREF=1:1", "BDAY:--0415", version: "4.0")
        #expect(old.saysSame(as: new) && new.saysSame(as: old))
    }

    @Test func `their change touches one line of ours`() {
        let theirs = card("N:;Ann;;;", "FN:Ann", "TEL;TYPE=CELL:2", "TEL;TYPE=HOME:9", "NOTE:old", "X-A:kept")
        let merged = merge(base, theirs)
        #expect(merged.card.source == base.source.replacing("CELL:1", with: "CELL:2"))
        #expect(merged.conflicts.isEmpty && merged.changes.map(\.description) == ["phone mobile 2"])
    }

    @Test func `changes of both sides are merged where they do not meet`() {
        let ours = card(
            "FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:1", "TEL;TYPE=HOME:8", "NOTE:old", "X-A:  kept", "TITLE:Dr")
        let theirs = card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:2", "TEL;TYPE=HOME:9", "X-A:kept", "EMAIL:a@x", "X-B:1")
        let merged = merge(ours, theirs)
        #expect(merged.conflicts.isEmpty)
        #expect(
            merged.card.lines == [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:2", "TEL;TYPE=HOME:8", "X-A:  kept",
                "X-B:1", "TITLE:Dr", "EMAIL:a@x", "END:VCARD",
            ])
    }

    @Test(arguments: [
        ["TEL;TYPE=WORK:1", "TEL;TYPE=HOME:1"], ["TEL;TYPE=HOME:1", "TEL;TYPE=HOME:1"],
        ["EMAIL;TYPE=WORK:a@x", "EMAIL;TYPE=HOME:a@x"], ["URL;TYPE=WORK:x", "URL;TYPE=HOME:x"],
        ["ADR;TYPE=HOME:;;S 1;T;;1;DE", "ADR;TYPE=WORK:;;S 1;T;;1;DE"], ["X-FOO:1", "X-FOO:1"],
        ["RELATED;TYPE=friend:urn:uuid:1", "RELATED;TYPE=spouse:urn:uuid:1"],
        ["item1.X-ABRELATEDNAMES:Bo\r\nitem1.X-ABLabel:Friend", "item2.X-ABRELATEDNAMES:Bo\r\nitem2.X-ABLabel:Boss"],
    ])
    func `a known value under another label is a new line`(lines: [String]) {
        let base = card("FN:Ann", lines[0])
        let theirs = card("FN:Ann", lines[0], lines[1])
        let ours = card("FN:Ann", lines[0], "TITLE:Dr")
        let merged = CardMerge(ours: ours, ourBase: base, theirBase: base, theirs: theirs)
        #expect(merged.card.saysSame(as: card("FN:Ann", lines[0], lines[1], "TITLE:Dr")) && merged.conflicts.isEmpty)
        // Both sides added it: once is enough.
        let both = CardMerge(ours: theirs, ourBase: base, theirBase: base, theirs: theirs)
        #expect(both.card.bytes == theirs.bytes)
    }

    @Test func `a label completes the same value that was added without one`() {
        func merged(_ ours: String, _ theirs: String) -> [String] {
            merge(
                card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:1", "TEL;TYPE=HOME:9", "NOTE:old", "X-A:  kept", ours),
                card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:1", "TEL;TYPE=HOME:9", "NOTE:old", "X-A:  kept", theirs)
            ).card.details.emails.map { "\($0.label) \($0.value)" }
        }
        #expect(merged("EMAIL:a@x", "EMAIL;TYPE=HOME:a@x") == ["home a@x"])
        #expect(merged("EMAIL;TYPE=HOME:a@x", "EMAIL:a@x") == ["home a@x"])
        #expect(merged("EMAIL;TYPE=HOME:a@x", "EMAIL;TYPE=WORK:a@x") == ["home a@x", "work a@x"])
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `random changes of one side arrive whole, with equal values too`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func line() -> String {
            let label = ["WORK", "HOME", "CELL"].randomElement(using: &random) ?? ""
            let value = Int.random(in: 1...3, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return "TEL;TYPE=\(label):\(value)"
            case 1: return "EMAIL;TYPE=\(label):\(value)@x"
            case 2: return "ADR;TYPE=\(label):;;\(value);;;;"
            case 3: return "X-FOO:\(value)"
            default: return "RELATED;TYPE=\(label):urn:uuid:\(value)"
            }
        }
        for _ in 0..<40 {
            let base = (0..<Int.random(in: 1...15, using: &random)).map { _ in line() }
            var theirs = base
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                if theirs.isEmpty || Bool.random(using: &random) {
                    theirs.insert(line(), at: Int.random(in: 0...theirs.count, using: &random))
                } else {
                    let place = Int.random(in: 0..<theirs.count, using: &random)
                    if Bool.random(using: &random) { theirs.remove(at: place) } else { theirs[place] = line() }
                }
            }
            func made(_ lines: [String]) -> Card { card((["FN:Ann"] + lines).joined(separator: "\r\n")) }
            let (before, after) = (made(base), made(theirs))
            let merged = CardMerge(ours: made(base + ["TITLE:Dr"]), ourBase: before, theirBase: before, theirs: after)
            #expect(merged.card.saysSame(as: made(theirs + ["TITLE:Dr"])), "\(base) to \(theirs)")
            #expect(merged.conflicts.isEmpty)
        }
    }

    @Test func `what both changed in different ways is a conflict, and ours stays`() {
        let ours = card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:3", "TEL;TYPE=HOME:9", "X-A:  kept")
        let theirs = card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:2", "TEL;TYPE=HOME:9", "NOTE:new", "X-A:kept")
        let merged = merge(ours, theirs)
        #expect(merged.conflicts.map(\.name) == ["phone mobile", "note"])
        #expect(merged.conflicts.map(\.ours) == ["3", nil] && merged.conflicts.map(\.theirs) == ["2", "new"])
        #expect(merged.card.bytes == ours.bytes)
        #expect(merge(ours, theirs, .here).card.bytes == ours.bytes)
        #expect(merge(ours, theirs, .there).card.details.phones.map(\.value) == ["2", "9"])
        #expect(merge(ours, theirs, .there).card.details.note == "new")
        #expect(merge(ours, theirs, .both).card.details.phones.map(\.value) == ["3", "9", "2"])
        #expect(CardMerge.Choice.allCases.allSatisfy { merge(ours, theirs, $0).conflicts.isEmpty })
    }

    @Test func `two notes are kept one after the other`() {
        let ours = card("FN:Ann", "NOTE:here")
        let theirs = card("FN:Ann", "NOTE:there")
        #expect(merge(ours, theirs, .both).card.details.note == "here\n\nthere")
    }

    @Test func `the same change on both sides is none`() {
        let ours = card("FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:2", "TEL;TYPE=HOME:9", "NOTE:old", "X-A:  kept")
        let theirs = card("X-A:kept", "FN:Ann", "N:;Ann;;;", "TEL;TYPE=cell:2", "TEL;TYPE=HOME:9", "NOTE:old")
        let merged = merge(ours, theirs)
        #expect(merged.conflicts.isEmpty && merged.card.bytes == ours.bytes)
    }

    @Test func `tags are a set on which both sides work`() {
        let start = card("FN:Ann", "CATEGORIES:a,b,c")
        let merged = CardMerge(
            ours: card("FN:Ann", "CATEGORIES:b,c,d"), ourBase: start, theirBase: start,
            theirs: card("FN:Ann", "CATEGORIES:a,b", "CATEGORIES:e"))
        #expect(merged.conflicts.isEmpty && merged.card.details.tags == ["b", "d", "e"])
    }

    @Test func `a label is added to the group of its value under a free name`() {
        let ours = card("FN:Ann", "item1.TEL:1", "item1.X-ABLabel:boat")
        let theirs = card(
            "FN:Ann", "item1.EMAIL:a@x", "item1.X-ABLABEL:work", "item7.TEL:1", "item7.X-ABLABEL:yacht")
        let merged = CardMerge(ours: ours, ourBase: ours, theirBase: ours, theirs: theirs).card
        #expect(merged.details.phones.map(\.label) == ["yacht"] && merged.details.emails.map(\.label) == ["work"])
        #expect(merged.lines.contains("item1.TEL:1"))
        let back = CardMerge(ours: merged, ourBase: merged, theirBase: merged, theirs: ours).card
        #expect(back.saysSame(as: ours))
    }

    @Test func `what their program has lost is not taken from us`() {
        let ours = card("FN:Ann", "X-OWN:1", "TEL:1")
        let stored = card("FN:Ann", "TEL:1")
        let merged = CardMerge(ours: ours, ourBase: ours, theirBase: stored, theirs: card("FN:Ann", "TEL:2"))
        #expect(merged.card.lines.contains("X-OWN:1") && merged.card.details.phones.map(\.value) == ["2"])
    }

    @Test func `our card of 4_0 takes a change that came in 3_0`() {
        let ours = card("FN:Ann", "BDAY:--0415", "TEL;TYPE=cell:1", version: "4.0")
        let before = ours.converted(to: .v3)
        let after = Card(before.source.replacing("cell:1", with: "cell:2").replacing("1604-04-15", with: "1604-04-16"))
        let merged = CardMerge(ours: ours, ourBase: ours, theirBase: before, theirs: after).card
        #expect(
            merged.lines == ["BEGIN:VCARD", "VERSION:4.0", "FN:Ann", "BDAY:--0416", "TEL;TYPE=cell:2", "END:VCARD"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `merging their change into an unchanged card gives what they have`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let ours = try #require(Samples.everyCard.randomElement(using: &random))
            let other = try #require(Samples.everyCard.randomElement(using: &random))
            let theirs = other.version == ours.version ? other : other.converted(to: ours.version)
            let merged = CardMerge(ours: ours, ourBase: ours, theirBase: ours, theirs: theirs)
            #expect(merged.conflicts.isEmpty)
            #expect(CardMerge(ours: ours, ourBase: ours, theirBase: ours, theirs: ours).card.bytes == ours.bytes)
            let left = merged.card.details
            let right = theirs.details
            #expect(Set(left.phones.map(\.value)) == Set(right.phones.map(\.value)), "seed \(seed)")
            #expect(Set(left.emails.map(\.value)) == Set(right.emails.map(\.value)), "seed \(seed)")
            #expect(left.note == right.note && left.formattedName == right.formattedName, "seed \(seed)")
        }
    }

    @Test func `what is sent has names, a known UID, and CR LF`() {
        let sent = OutgoingCard(card("EMAIL:a@x", lineEnd: "\n"), versions: [], replacing: card("UID:theirs"))
        let text = String(decoding: sent.bytes, as: UTF8.self)
        #expect(text.contains("\r\nFN:a@x\r\n") && text.contains("\r\nN:;;;;\r\n") && text.contains("UID:theirs\r\n"))
        #expect(!text.replacing("\r\n", with: "").contains("\n"))
        let plain = card("FN:Ann", "N:;Ann;;;", "X-odd;p= q:  1")
        #expect(OutgoingCard(plain, versions: ["3.0"]).bytes == plain.bytes)
        let new = card("FN:Ann", "N:;Ann;;;", version: "4.0")
        #expect(OutgoingCard(new, versions: ["3.0", "4.0"]).bytes == new.bytes)
        #expect(Card(OutgoingCard(new, versions: ["3.0"]).bytes).version == .v3)
        #expect(Card(OutgoingCard(card("FN:A", version: "2.1"), versions: ["4.0"]).bytes).version == .v4)
    }
}
