import CivilDate
import Glibc
import HubKit
import HubKitTesting
import Mintee
import MinteeDomain
import Storage
import Testing

/// The pages of `docs/events` against what Mintee declares, and both against what it emits.
struct EventPageTests {
    private static let folder = #filePath.replacing("Tests/MinteeTests/EventPageTests.swift", with: "docs/events")

    private func page(of declaration: TopicDeclaration) throws -> JSONValue {
        try JSONReader.read(try BoundedFile.read("\(Self.folder)/\(declaration.documentPath)", limit: 100_000))
    }

    @Test(arguments: MinteeEvents.declarations)
    func `each topic's page says what the declaration says`(declaration: TopicDeclaration) throws {
        #expect(declaration.differences(from: try page(of: declaration)) == [])
    }

    @Test func `there is no page of a topic that nobody emits`() throws {
        let declared = Set(MinteeEvents.declarations.map(\.documentPath))
        for layer in Set(declared.map { $0.split(separator: "/")[0] }) {
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

    @Test func `what is emitted is what is declared, every durable topic of it`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Read", tags: ["health"])
        try await fixture.enter(task, "2026-11-19", .value(2.5))
        _ = try await fixture.mintee.updateTask(task.id, operation: fixture.operation()) { $0.notes = "x" }
        _ = try await fixture.mintee.createAnalysis(
            Analysis(name: "Health", tags: ["health"]), operation: fixture.operation())
        try await fixture.mintee.remindOfTasks()
        try await fixture.mintee.tasks.delete([task.id], operation: fixture.operation())
        let events = try await fixture.database.store(for: "core").read { transaction in
            try transaction.recentEvents(matching: [.everything], since: nil, limit: 1000)
        }
        let declarations = Dictionary(uniqueKeysWithValues: MinteeEvents.declarations.map { ($0.topic, $0) })
        let durable = MinteeEvents.declarations.filter { $0.delivery == .durable }.map(\.topic)
        #expect(Set(events.map(\.topic)) == Set(durable))
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
