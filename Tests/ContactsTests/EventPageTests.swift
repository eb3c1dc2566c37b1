import CivilDate
import Contacts
import ContactsDomain
import Glibc
import HubKit
import HubKitTesting
import Storage
import Testing

/// The pages of `docs/events` against what contacts declare, and both against what contacts emit.
struct EventPageTests {
    private static let folder = #filePath.replacing("Tests/ContactsTests/EventPageTests.swift", with: "docs/events")

    private func page(of declaration: TopicDeclaration) throws -> JSONValue {
        try JSONReader.read(try BoundedFile.read("\(Self.folder)/\(declaration.documentPath)", limit: 100_000))
    }

    @Test(arguments: ContactEvents.declarations)
    func `each topic's page says what the declaration says`(declaration: TopicDeclaration) throws {
        #expect(declaration.differences(from: try page(of: declaration)) == [])
    }

    @Test func `there is no page for a topic without events`() throws {
        let declared = Set(ContactEvents.declarations.map(\.documentPath))
        for layer in ["domain.contacts", "app.contacts"] {
            let entries = try #require(opendir("\(Self.folder)/\(layer)"))
            defer { closedir(entries) }
            while let entry = readdir(entries) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                #expect(name.hasPrefix(".") || declared.contains("\(layer)/\(name)"), "\(layer)/\(name)")
            }
        }
    }

    @Test func `what is emitted is what is declared, every topic of it`() async throws {
        let book = try ContactsFixture()
        let ada = try await book.add("Ada Lovelace")[0]
        var details = ada.details
        details.birthday = .date(try #require(PartialDate(year: 1815, month: 12, day: 10)))
        details.anniversary = .date(try #require(PartialDate(year: 1835, month: 12, day: 8)))
        _ = try await book.plugin.update(
            ada.id, to: details, expecting: nil, operation: book.operation("contacts set"))
        try await book.plugin.remindOfDates(on: try #require(CivilDate("2026-12-07")))
        try await book.plugin.entities.delete([ada.id], expecting: nil, operation: book.operation("contacts rm"))
        let cards = (0...100).map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person \($0)\r\nEND:VCARD\r\n" }.joined()
        try await book.importing(cards)

        let events = try await book.database.store(for: "core").read { transaction in
            try transaction.recentEvents(matching: [.everything], since: nil, limit: 1000)
        }
        let declarations = Dictionary(uniqueKeysWithValues: ContactEvents.declarations.map { ($0.topic, $0) })
        #expect(Set(events.map(\.topic)) == Set(declarations.keys))
        for event in events {
            let declaration = try #require(declarations[event.topic])
            var json = JSONWriter()
            try event.write(to: &json)
            let example = JSONValue.Member(name: "example", value: try JSONReader.read(json.bytes))
            guard case .object(let members) = try page(of: declaration) else { continue }
            let page = JSONValue.object(members.filter { $0.name != "example" } + [example])
            #expect(declaration.differences(from: page, isExampleOwn: false) == [], "\(json.string)")
        }
    }
}
