import ContactsDomain
import HubKitTesting
import Sync
import System
import TestSupport
import Testing

@testable import Contacts

/// Pictures that are too large for a server.
struct PictureFittingTests {
    private let folder: TemporaryFolder
    private let large: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 5000)
    private let small: [UInt8] = [0xFF, 0xD8, 0xFF, 0x41]

    init() throws { folder = try TemporaryFolder() }

    /// A program that answers with the small picture, and writes down that it ran.
    private func program(_ script: String) throws -> PictureScaler {
        try folder.write("#!/bin/sh\n\(script)\n", to: "scale", mode: 0o700)
        return PictureScaler(programs: ["/nowhere/magick", folder.path + "/scale"])
    }

    private func working() throws -> PictureScaler {
        try program("cat >/dev/null; echo ran >> \(folder.path)/runs; printf '\\377\\330\\377A'")
    }

    private func sync(_ side: SyncFixture, _ pictures: PictureFitting) async throws -> BookSyncReport {
        side.hub.clock.advance(by: .seconds(1))
        return try await SyncBooks(side.hub.contacts, clock: side.hub.clock, pictures: pictures).sync(
            side.book, over: side.there, operation: .init("contacts sync"))
    }

    private var runs: Int { (folder.read("runs") ?? "").split(separator: "\n").count }

    @Test func `a smaller picture is sent once, and the contact keeps its own`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(vcard("ann", "FN:Ann", "N:;Ann;;;"))
        _ = try await side.hub.plugin.setPhoto(of: id, to: large, operation: side.hub.operation("contacts photo"))
        let pictures = PictureFitting(limit: 1000, scaler: try working())
        let report = try await sync(side, pictures)
        #expect(report.sent.new == 1 && report.pictures.map(\.size) == [4] && report.losses.isEmpty)
        func there() throws -> Card { Card(try #require(side.there.items.values.first).bytes) }
        #expect(try there().photo == .picture(small))
        #expect(try await side.only().card.photo == .picture(large))
        #expect(try await sync(side, pictures).isUpToDate)
        // Another change is sent with the picture that is there.
        try await side.edit(id) { $0.note = "x" }
        let second = try await sync(side, pictures)
        #expect(second.sent.changed == 1 && second.pictures.isEmpty && runs == 1)
        #expect(try there().photo == .picture(small) && there().details.note == "x")
        // A change there leaves the picture here alone.
        let (href, item) = try #require(side.there.items.first)
        side.there.put(href, item.text.replacing("NOTE:x", with: "NOTE:y"))
        #expect(try await sync(side, pictures).received.changed == 1)
        let card = try await side.only().card
        #expect(card.photo == .picture(large) && card.details.note == "y")
        #expect(try await sync(side, pictures).isUpToDate)
    }

    @Test func `a picture that cannot be made smaller is sent as it is, and reported`() async throws {
        for scaler in [PictureScaler(programs: ["/nowhere/magick"]), try program("exit 1"), try program("cat")] {
            let side = try await SyncFixture()
            let id = try await side.add(vcard("ann", "FN:Ann", "N:;Ann;;;"))
            _ = try await side.hub.plugin.setPhoto(of: id, to: large, operation: side.hub.operation("contacts photo"))
            let report = try await sync(side, PictureFitting(limit: 1000, scaler: scaler))
            #expect(report.sent.new == 1 && report.pictures.count == 1 && report.pictures.first?.size == nil)
            #expect(Card(try #require(side.there.items.values.first).bytes).photo == .picture(large))
        }
    }

    @Test func `a picture within the limit is sent as it is`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(vcard("ann", "FN:Ann", "N:;Ann;;;"))
        _ = try await side.hub.plugin.setPhoto(of: id, to: large, operation: side.hub.operation("contacts photo"))
        let report = try await sync(side, PictureFitting(limit: 6000, scaler: try working()))
        #expect(report.pictures.isEmpty && runs == 0)
    }
}
