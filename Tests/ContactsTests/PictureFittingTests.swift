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

    /// A photograph that its EXIF data turn upright, and a small file of very many pixels.
    private static let pictures = #"""
        import struct, subprocess, sys, zlib
        folder = sys.argv[1]
        photo = subprocess.run(["/usr/bin/convert", "-size", "400x200", "plasma:", "-quality", "98", "jpg:-"], capture_output=True, check=True).stdout
        exif = b"Exif\0\0II*\0" + struct.pack("<IHHHIII", 8, 1, 0x0112, 3, 1, 6, 0)
        open(folder + "/photo.jpg", "wb").write(photo[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + photo[2:])
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for name, side in [("bomb", 30000), ("tiny", 30)]:
            header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
            parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(3751))) + chunk(b"IEND", b"")
            open(folder + "/" + name + ".png", "wb").write(b"\x89PNG\r\n\x1a\n" + parts)
        """#

    /// Width and height of a JPEG.
    private func size(of jpeg: [UInt8]) -> [Int] {
        var place = 2
        while place + 9 < jpeg.count, ![0xC0, 0xC1, 0xC2].contains(jpeg[place + 1]) {
            place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
        }
        guard place + 9 < jpeg.count else { return [] }
        return [7, 5].map { Int(jpeg[place + $0]) << 8 + Int(jpeg[place + $0 + 1]) }
    }

    @Test func `ImageMagick turns a photograph upright, and refuses what would fill the memory`() async throws {
        let made = try await Subprocess("/usr/bin/python3", ["-c", Self.pictures, folder.path])
            .run(outputLimit: 1 << 16, timeout: .seconds(120))
        try #require(made.status.isSuccess, "\(String(decoding: made.errorOutput, as: UTF8.self))")
        let scaler = PictureScaler(programs: ["/usr/bin/magick", "/usr/bin/convert"], timeout: .seconds(120))
        let photo = try BoundedFile.read(folder.path + "/photo.jpg", limit: 1 << 20)
        let small = try await scaler.jpeg(photo, atMost: 8000)
        #expect(small.count <= 8000 && small.count < photo.count)
        let turned = size(of: small)
        #expect(turned.count == 2 && turned[1] == 2 * turned[0], "\(turned)")
        let bomb = try BoundedFile.read(folder.path + "/bomb.png", limit: 1 << 20)
        await #expect(throws: PictureScaler.Failure.impossible) { _ = try await scaler.jpeg(bomb, atMost: 5000) }
        let tiny = try BoundedFile.read(folder.path + "/tiny.png", limit: 1 << 20)
        #expect(size(of: try await scaler.jpeg(tiny, atMost: 5000)) == [30, 30])
        let cut = Array(photo.prefix(40))
        await #expect(throws: PictureScaler.Failure.impossible) { _ = try await scaler.jpeg(cut, atMost: 10) }
    }

    @Test func `a picture within the limit is sent as it is`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(vcard("ann", "FN:Ann", "N:;Ann;;;"))
        _ = try await side.hub.plugin.setPhoto(of: id, to: large, operation: side.hub.operation("contacts photo"))
        let report = try await sync(side, PictureFitting(limit: 6000, scaler: try working()))
        #expect(report.pictures.isEmpty && runs == 0)
    }
}
