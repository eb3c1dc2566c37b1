import HubKitTesting
import Market
import Storage
import Testing

/// The pages of `docs/events` against what Market declares.
struct EventPageTests {
    @Test(arguments: MarketEvents.declarations)
    func `each topic's page says what the declaration says`(declaration: TopicDeclaration) throws {
        let folder = #filePath.replacing("Tests/MarketTests/EventPageTests.swift", with: "docs/events")
        let page = try BoundedFile.read("\(folder)/\(declaration.documentPath)", limit: 100_000)
        #expect(declaration.differences(from: try JSONReader.read(page)) == [])
    }
}
