import Collation
import Testing

struct CollatorTests {
    private func sorted(_ names: [String], locale: String) -> [String] {
        let collator = Collator(locale: locale)
        return names.map { ($0, collator.sortKey(of: $0)) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map(\.0)
    }

    private static let names = [
        "Zebra", "straße", "Öl", "Łukasz", "apple", "Strasse", "Äpfel", "Lukas", "Ångström",
    ]

    @Test func `German sorts umlauts with their letters`() {
        #expect(
            sorted(Self.names, locale: "de") == [
                "Ångström", "Äpfel", "apple", "Lukas", "Łukasz", "Öl", "Strasse", "straße", "Zebra",
            ])
    }

    @Test func `Swedish sorts them after z`() {
        #expect(Array(sorted(Self.names, locale: "sv").suffix(4)) == ["Zebra", "Ångström", "Äpfel", "Öl"])
    }

    @Test func `equal texts have equal keys and a beginning sorts first`() {
        let collator = Collator(locale: "en")
        #expect(collator.sortKey(of: "Ada") == collator.sortKey(of: "Ada"))
        #expect(collator.sortKey(of: "Ada").lexicographicallyPrecedes(collator.sortKey(of: "Ada L")))
        #expect(collator.sortKey(of: "").isEmpty == collator.sortKey(of: "").isEmpty)
    }

    @Test func `the version names engine and locale`() throws {
        let collator = Collator(locale: "de")
        try collator.check()
        #expect(collator.version.hasPrefix("icu-72"))
        #expect(collator.version.hasSuffix("-de"))
        #expect(collator.version != Collator(locale: "sv").version)
    }

    @Test func `a long name has a whole key`() {
        let collator = Collator(locale: "de")
        let long = String(repeating: "Ж", count: 100_000)
        #expect(collator.sortKey(of: long + "a").lexicographicallyPrecedes(collator.sortKey(of: long + "b")))
    }
}
