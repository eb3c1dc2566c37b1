import HubKit
import HubKitTesting
import Notes
import Storage
import Testing

/// The pages of `docs/events` against what Notes declares.
struct EventPageTests {
    private static let folder = #filePath.replacing("Tests/NotesTests/EventPageTests.swift", with: "docs/events")

    @Test(arguments: NotesEvents.declarations)
    func `each topic's page says what the declaration says`(declaration: TopicDeclaration) throws {
        let page = try JSONReader.read(
            try BoundedFile.read("\(Self.folder)/\(declaration.documentPath)", limit: 100_000))
        #expect(declaration.differences(from: page) == [])
    }

    @Test func `the tables follow the rules for tables`() throws {
        #expect(try TableRules.breaches(of: NotesPlugin.descriptor.schema) == [])
    }
}
