import JSON
import Testing

/// Compares a store with what it should hold.
struct ModelJudge: Sendable {
    private let sandbox: Sandbox

    init(_ sandbox: Sandbox) { self.sandbox = sandbox }

    /// Expects the lists, the cards and the indexes of the store to agree with `book`.
    func expect(_ book: ModelBook) async throws {
        let live = book.contacts.filter { !$0.value.isInTrash }
        try await expectList(live)
        try await expect(
            sandbox.contacts("--trash").map(\.name), are: book.contacts.filter(\.value.isInTrash).keys, "in the trash")
        try await expectCards(live)
        try await expectSearch(live)
        let doctor = try await sandbox.runInProcess("doctor")
        #expect(doctor.code == 0, "\(doctor.all)")
    }

    /// Expects the same names on both sides, and says which ones are not.
    private func expect(_ found: [String], are expected: some Collection<String>, _ place: String) {
        #expect(found.count == Set(found).count, "twice \(place)")
        #expect(Set(found).subtracting(expected).sorted().prefix(5) == [], "too many \(place)")
        #expect(Set(expected).subtracting(found).sorted().prefix(5) == [], "missing \(place)")
    }

    private func expectList(_ contacts: [String: ModelBook.Contact]) async throws {
        let list = try await sandbox.runInProcess("contacts", "list", "--json")
        try #require(list.code == 0, "\(list.all)")
        let rows = try JSONReader.read(Array(list.output.utf8)).rows
        expect(rows.compactMap { $0["name"]?.string }, are: contacts.keys, "in the list")
        for row in rows {
            let name = try #require(row["name"]?.string)
            let tags = row["tags"]?.rows.compactMap(\.string) ?? []
            #expect(Set(tags) == contacts[name]?.tags, "\(name)")
        }
    }

    /// Every line of a card that no command touched is as it came, byte for byte; where cards were merged it says the same.
    private func expectCards(_ contacts: [String: ModelBook.Contact]) async throws {
        let export = try await sandbox.runInProcess("contacts", "export")
        try #require(export.code == 0, "\(export.all)")
        let cards = Self.cards(export.output)
        expect(Array(cards.keys), are: contacts.keys, "in the export")
        for (name, contact) in contacts {
            guard let card = cards[name] else { continue }
            #expect(card.value(of: "NOTE") == contact.note, "\(name)")
            guard let original = contact.card.map(CardLines.init) else { continue }
            if contact.touched.isEmpty { #expect(card == original) }
            let touched = contact.touched.union(["REV"])
            if contact.isMerged {
                #expect(card.said(without: touched) == original.said(without: touched))
            } else {
                #expect(card.without(touched) == original.without(touched))
            }
        }
    }

    private func expectSearch(_ contacts: [String: ModelBook.Contact]) async throws {
        for (name, contact) in contacts.filter({ $0.value.note != nil }).sorted(by: { $0.key < $1.key }).prefix(10) {
            let found = try await sandbox.runInProcess("contacts", "search", contact.note ?? "", "--plain=name")
            #expect(found.output.split(separator: "\n").contains(Substring(name)), "\(found.all)")
        }
    }

    private static func cards(_ text: String) -> [String: CardLines] {
        var cards: [String: CardLines] = [:]
        var lines: [String] = []
        for line in CardLines(text).lines {
            lines.append(line)
            guard line.hasPrefix("END:VCARD") else { continue }
            let card = CardLines(lines: lines)
            cards[card.value(of: "FN") ?? ""] = card
            lines = []
        }
        return cards
    }
}

/// A card's property lines with their folds and line ends.
struct CardLines: Equatable {
    let lines: [String]

    init(lines: [String]) { self.lines = lines }

    init(_ text: String) {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // A line that begins with a blank goes on the one before it.
            if line.last == "\n", scalar != " " {
                lines.append(String(line))
                line.removeAll()
            }
            line.append(scalar)
        }
        self.lines = line.isEmpty ? lines : lines + [String(line)]
    }

    /// The lines of other properties than these.
    func without(_ properties: Set<String>) -> [String] {
        lines.filter { line in !properties.contains { line.hasPrefix($0 + ":") } }
    }

    /// Returns the content of the lines with other properties than these, in any order: without folds, groups, and
    /// lines that are empty or only label another line.
    func said(without properties: Set<String>) -> [String] {
        without(properties).map { line in
            let text = line.filter { !$0.isNewline }.replacing("\u{20}", with: "")
            return text.contains("X-ABLabel") || text.hasSuffix(":") ? "" : text.replacing(/^item\d+\./, with: "")
        }.filter { !$0.isEmpty }.sorted()
    }

    /// The value of the first line of a property.
    func value(of property: String) -> String? {
        lines.first { $0.hasPrefix(property + ":") }.map { line in
            String(line.dropFirst(property.count + 1).prefix { !$0.isNewline })
        }
    }
}
