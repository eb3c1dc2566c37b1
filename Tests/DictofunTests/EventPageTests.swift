import Glibc
import HubKit
import HubKitTesting
import Storage
import Testing

@testable import Dictofun

/// The pages of `docs/events` against what Dictofun declares, and both against what it emits.
struct EventPageTests {
    private static let folder = #filePath.replacing("Tests/DictofunTests/EventPageTests.swift", with: "docs/events")

    @Test(arguments: DictofunEvents.declarations)
    func `each topic's page says what the declaration says`(declaration: TopicDeclaration) throws {
        let page = try JSONReader.read(
            try BoundedFile.read("\(Self.folder)/\(declaration.documentPath)", limit: 100_000))
        #expect(declaration.differences(from: page) == [])
    }

    @Test func `what is emitted is what is declared, every topic of it`() async throws {
        let fixture = try DictofunFixture()
        try fixture.program("pocketsphinx_continuous", "echo hello")
        let item = try await fixture.importFile(try fixture.sound("talk.wav"))
        _ = try await fixture.dictofun.transcribe([item.id])
        try await fixture.dictofun.editTranscript(of: item.id, "hello \"there\"", operation: Operation("edit"))
        try await fixture.dictofun.records.delete([item.id], operation: Operation("rm"))
        let events = try await fixture.database.store(for: "core").read { tx in
            try tx.recentEvents(matching: [TopicPattern("*.dictofun/*")], since: nil, limit: 100)
        }
        var seen: Set<Topic> = []
        for event in events.map(\.event) {
            let declaration = try #require(DictofunEvents.declarations.first { $0.topic == event.topic })
            seen.insert(event.topic)
            let names = Set(try members(event.body))
            #expect(names.isSubset(of: declaration.fields.map(\.name)))
            #expect(names.isSuperset(of: declaration.fields.filter { !$0.isOptional }.map(\.name)))
        }
        // Those of recorders are checked with the simulated one.
        let records = DictofunEvents.declarations.filter { $0.subject == "record id" }
        #expect(seen == Set(records.map(\.topic)))
    }

    private func members(_ body: String) throws -> [String] {
        guard case .object(let members) = try JSONReader.read(Array(body.utf8)) else { return [] }
        return members.map(\.name)
    }
}
