import Testing

@testable import ContactsDomain

struct DuplicateTests {
    @Test(arguments: [
        ("martha", "marhta", 0.961), ("catherine", "katherine", 0.926), ("mueller", "muller", 0.917),
        ("jon smith", "john smith", 0.973), ("robert brown", "roberta brown", 0.985),
        ("maria garcia", "mario garcia", 0.903), ("smith john", "john smith", 0.533), ("", "", 1), ("a", "", 0),
        ("abc", "xyz", 0),
    ])
    func `similarity is that of the literature`(left: String, right: String, expected: Double) {
        let value = NameSimilarity.jaroWinkler(left, right)
        #expect(abs(value - expected) < 0.0006)
        #expect(abs(NameSimilarity.jaroWinkler(right, left) - value) < 1e-12)
    }

    /// One row of the table: lines of two cards, and what is to be found of them.
    struct Case: CustomTestStringConvertible, Sendable {
        let left: [String]
        let right: [String]
        let tier: DuplicateTier?
        let testDescription: String

        init(_ description: String, _ left: [String], _ right: [String], _ tier: DuplicateTier?) {
            self.left = left
            self.right = right
            self.tier = tier
            testDescription = description
        }
    }

    static let cases = [
        Case(
            "equal but for what programs write", ["FN:Ada", "TEL:1234567", "UID:a"],
            ["TEL:1234567", "FN:Ada", "UID:b"], .certain),
        Case(
            "e-mail and an alike name", ["FN:Jon Smith", "EMAIL:j@x.org"], ["FN:John Smith", "EMAIL:J@X.org"], .strong),
        Case("e-mail and no name", ["EMAIL:j@x.org", "FN:j@x.org"], ["FN:John Smith", "EMAIL:j@x.org"], .strong),
        Case("e-mail and initials", ["FN:J. Smith", "EMAIL:j@x.org"], ["FN:John Smith", "EMAIL:j@x.org"], .strong),
        Case(
            "e-mail and a nickname", ["FN:Bob Smith", "EMAIL:b@x.org"], ["FN:Robert Smith", "EMAIL:b@x.org"], .strong),
        Case(
            "e-mail and name turned round", ["FN:Smith John", "EMAIL:j@x.org"], ["FN:John Smith", "EMAIL:j@x.org"],
            .strong),
        Case(
            "number written two ways", ["FN:Ann Lee", "TEL:+48601234567"], ["FN:Ann Lee", "TEL:0048 601-234-567"],
            .strong),
        Case("e-mail of a couple", ["FN:Anna Nowak", "EMAIL:n@x.org"], ["FN:Jan Nowak", "EMAIL:n@x.org"], nil),
        Case(
            "landline of a couple", ["FN:Anna Nowak", "TEL:+48221234567"], ["FN:Jan Nowak", "TEL:+48221234567"], nil),
        Case("landline of strangers", ["FN:Ann Lee", "TEL:+48221234567"], ["FN:Zoe Meyer", "TEL:+48221234567"], nil),
        Case("same organization", ["FN:Jon Smith", "ORG:Acme"], ["FN:John Smith", "ORG:ACME;Sales"], .medium),
        Case("same day of birth", ["FN:Jon Smith", "BDAY:--0412"], ["FN:John Smith", "BDAY:1985-04-12"], .medium),
        Case(
            "same street", ["FN:Jon Smith", "ADR:;;Long St 5;A;;12345;"],
            ["FN:John Smith", "ADR:;;long st. 5;B;;12345;"], .medium),
        Case("last seven digits", ["FN:Jon Smith", "TEL:1234567"], ["FN:John Smith", "TEL:030 1234567"], .medium),
        Case(
            "another street number", ["FN:Jon Smith", "ADR:;;Long St 5;A;;12345;"],
            ["FN:John Smith", "ADR:;;Long St 6;A;;12345;"], .weak),
        Case("name alone", ["FN:John Smith"], ["FN:Jon Smith"], .weak),
        Case("accents and scripts", ["FN:Łukasz Nowak"], ["FN:Lukasz Nowak", "NOTE:x"], .weak),
        Case("nickname and family", ["FN:Bob Smith"], ["FN:Robert Smith"], .weak),
        Case("nickname of another family", ["FN:Bob Smith"], ["FN:Robert Jones"], nil),
        Case("names not alike enough", ["FN:Jim Lee", "ORG:Acme"], ["FN:Tim Lew", "ORG:Acme"], nil),
        Case(
            "different full birthdays", ["FN:John Smith", "EMAIL:j@x.org", "BDAY:1980-01-01"],
            ["FN:John Smith", "EMAIL:j@x.org", "BDAY:1981-01-01"], nil),
        Case(
            "a year of birth is missing", ["FN:John Smith", "EMAIL:j@x.org", "BDAY:--0101"],
            ["FN:John Smith", "EMAIL:j@x.org", "BDAY:1981-02-01"], .strong),
        Case(
            "different middle initials", ["FN:x", "N:Smith;John;A.;;", "EMAIL:j@x.org"],
            ["FN:x", "N:Smith;John;B.;;", "EMAIL:j@x.org"], nil),
        Case(
            "one middle name", ["FN:x", "N:Smith;John;Adam;;", "EMAIL:j@x.org"],
            ["FN:x", "N:Smith;John;;;", "EMAIL:j@x.org"], .strong),
        Case(
            "junior and senior", ["N:Smith;John;;;Jr.", "EMAIL:j@x.org"], ["N:Smith;John;;;Sr", "EMAIL:j@x.org"], nil),
        Case(
            "junior and senior in the shown name", ["FN:John Smith Jr.", "EMAIL:j@x.org"],
            ["FN:John Smith Senior", "EMAIL:j@x.org"], nil),
        Case("a person and a company", ["FN:Smith", "EMAIL:j@x.org"], ["FN:Smith", "EMAIL:j@x.org", "KIND:org"], nil),
        Case("no name and nothing else", ["NOTE:a"], ["NOTE:b"], nil),
    ]

    @Test(arguments: cases)
    func `each tier and each veto`(example: Case) {
        func profile(_ id: String, _ lines: [String]) -> DuplicateProfile {
            let card = Card((["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n"))
            return DuplicateProfile(id: id, card.details, content: card.contentHash)
        }
        let profiles = [profile("1a", example.left), profile("2a", example.right)]
        for bucket in [[0, 1], [1, 0]] {
            let links = DuplicateFinder(profiles, apart: [], upTo: .weak).links(in: [bucket])
            #expect(links.map(\.tier) == [example.tier].compactMap { $0 })
        }
        let apart = DuplicateFinder(profiles, apart: [ContactPair("2a", "1a")], upTo: .weak).links(in: [[0, 1]])
        #expect(apart.isEmpty, "who was said to be different people is never proposed")
        let strong = DuplicateFinder(profiles, apart: [], upTo: .strong).links(in: [[0, 1]])
        #expect(strong.count == (example.tier.map { $0 <= .strong } ?? false ? 1 : 0))
    }

    /// Pairs that the tiers find must share a bucket, or they would not be compared.
    @Test(arguments: cases.filter { $0.tier != nil && $0.tier != .certain })
    func `duplicates share a key`(example: Case) {
        func keys(_ lines: [String]) -> Set<UInt64> {
            let card = Card((["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n"))
            let text = SearchText(card.details)
            let date = card.details.birthday?.date
            return Set(
                DuplicateKeys.keys(
                    name: Array("\(text.name)\n\(text.nickname)".utf8),
                    reach: Array("\(text.email)\n\(text.digits)".utf8),
                    birthday: date.flatMap { date in date.month.flatMap { month in date.day.map { month * 100 + $0 } } }
                ))
        }
        #expect(!keys(example.left).isDisjoint(with: keys(example.right)))
    }

    @Test func `a cluster never has two contacts that certainly differ`() {
        func profile(_ id: String, _ birthday: String) -> DuplicateProfile {
            let card = card("FN:John Smith", "EMAIL:j@x.org", birthday)
            return DuplicateProfile(id: id, card.details, content: card.contentHash)
        }
        let profiles = [profile("1a", "BDAY:1980-01-01"), profile("2a", "X-A:b"), profile("3a", "BDAY:1981-01-01")]
        let links = DuplicateFinder(profiles, apart: [], upTo: .weak).links(in: [[0, 1, 2]])
        #expect(links.map { [$0.first, $0.second] } == [[0, 1], [1, 2]])
        let clusters = DuplicateClusters(profiles, apart: []).clusters(of: links)
        #expect(clusters.map(\.members) == [[0, 1]])
        #expect(clusters.first?.tier == .strong)
    }

    @Test func `a bucket of a thousand equal cards is one cluster and done at once`() {
        let card = card("FN:John Smith")
        let profiles = (0..<1000).map { DuplicateProfile(id: "\($0)", card.details, content: card.contentHash) }
        let links = DuplicateFinder(profiles, apart: [], upTo: .weak).links(in: [Array(profiles.indices)])
        // Each with those that follow it, as many as the window has.
        let window = DuplicateFinder.window
        #expect(links.count == 1000 * window - window * (window + 1) / 2)
        let clusters = DuplicateClusters(profiles, apart: []).clusters(of: links)
        #expect(clusters.map(\.members.count) == [1000])
    }

    @Test func `shared values are listed in words`() {
        let left = card("FN:Ann Lee", "EMAIL:a@x.org", "TEL:+48601234567", "ORG:Acme").details
        let right = card("FN:Anne Lee", "EMAIL:A@x.org", "TEL:+48 601 234 567", "ORG:ACME").details
        let words = DuplicateEvidence([.email, .phone, .name, .organization]).words([left, right])
        #expect(
            words == ["same e-mail A@x.org", "same number +48 601 234 567", "similar names", "same organization ACME"])
    }
}
