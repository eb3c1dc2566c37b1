import Archive
import Commands
import DictofunDomain
import Glibc
import HubKitTesting
import NetworkTestSupport
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dictofun

struct FirmwareTests {
    /// A package of `nrfutil` with an application of 21 bytes and an init packet without a hash.
    private static func zip(hardware: UInt8 = 52, isSigned: Bool = true) throws -> [UInt8] {
        let initCommand: [UInt8] = [0x08, 7, 0x10, hardware, 0x20, 0, 0x38, 21]
        let command = [0x08, 1, 0x12, 8] + initCommand
        let signed = [0x0A, 12] + command + [0x10, 0, 0x1A, 1, 9]
        let packet = isSigned ? [0x12, 19] + signed : [0x0A, 12] + command
        let manifest = #"{"manifest":{"application":{"bin_file":"app.bin","dat_file":"app.dat"}}}"#
        let writer = try ZipWriter()
        try writer.add(ArchiveEntry("manifest.json", Array(manifest.utf8)))
        try writer.add(ArchiveEntry("app.bin", [UInt8](repeating: 1, count: 21)))
        try writer.add(ArchiveEntry("app.dat", packet))
        try writer.finish()
        return writer.take()
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    @Test func `a firmware file is checked, and a refused one says why`() async throws {
        let hub = try DictofunHub()
        let path = hub.home.path + "/dictofun.zip"
        try Self.write(Self.zip(), to: path)
        let checked = await hub.run("dictofun firmware check \(path) --plain=image,version,size_bytes,hardware")
        #expect(checked.output == "application\t7\t21\t52\n", "\(checked.messages)")
        try Self.write(Self.zip(isSigned: false), to: path)
        let unsigned = await hub.run("dictofun firmware check \(path)")
        #expect(unsigned.exit == 65 && unsigned.messages.contains("the image of application is not signed"))
        try Self.write(Self.zip(hardware: 51), to: path)
        #expect(await hub.run("dictofun firmware check \(path)").messages.contains("is for hardware 51, not 52"))
        try Self.write(Array("words".utf8), to: path)
        let other = await hub.run("dictofun firmware check \(path)")
        #expect(other.exit == 65 && other.messages.contains("is not firmware for a Dictofun recorder"))
        #expect(await hub.run("dictofun firmware check \(hub.home.path)/none.zip").exit == 1)
    }

    @Test func `a file is compared with the firmware of each paired recorder`() async throws {
        let fixture = try DictofunFixture()
        let versions = ["C0:DE:00:00:00:01": "6", "C0:DE:00:00:00:02": "7", "C0:DE:00:00:00:03": nil]
        try await fixture.dictofun.store.write(Operation("pair", kind: .cache)) { tx in
            for (address, version) in versions {
                try tx.saveDevice(
                    Device(
                        address: address, advertisedName: "dict", isPaired: true,
                        firmware: version.flatMap { FirmwareVersion($0) }))
            }
        }
        let path = fixture.folder.path + "/dictofun.zip"
        try Self.write(Self.zip(), to: path)
        let compared = try await fixture.dictofun.compareFirmware(try await fixture.dictofun.firmware(at: path))
        let sentences = compared.map { FirmwareCommands.sentence(String($0.device.address.suffix(2)), $0.check) }
        #expect(
            sentences.sorted() == [
                "01 has firmware 6: this file is newer", "02 has firmware 7: this file is not newer",
                "the firmware of 03 is unknown: recorders do not report it",
            ])
    }

    private static let releases = """
        [{"tag_name": "v1.5", "draft": false, "prerelease": false, "published_at": "2026-08-01T10:00:00Z", "assets": [
            {"name": "notes.txt", "browser_download_url": "https://example.org/1.5/notes.txt"},
            {"name": "app.zip", "browser_download_url": "https://example.org/1.5/app.zip"}]},
         {"tag_name": "1.6-rc1", "prerelease": true, "assets": [{"browser_download_url": "https://example.org/1.6/app.zip"}]},
         {"tag_name": "1.4.2", "assets": [{"browser_download_url": "file:///etc/app.zip"}]},
         {"tag_name": "1.7", "draft": true, "assets": []}, {"tag_name": "nightly"}, {"tag_name": "9-\\u001b[31m"}, 5, null]
        """

    @Test func `releases are read as GitHub lists them, and what is none is left out`() throws {
        let read = try FirmwareReleases.read(Array(Self.releases.utf8))
        #expect(read.map(\.version.description) == ["1.6-rc1", "1.5", "1.4.2"])
        #expect(read.map(\.file) == ["https://example.org/1.6/app.zip", "https://example.org/1.5/app.zip", nil])
        #expect(read.map(\.day) == ["", "2026-08-01", ""] && read.map(\.isPrerelease) == [true, false, false])
        #expect(read.offeredVersions.map(\.description) == ["1.5"])
        #expect(try FirmwareReleases.read(Array(#"{"message": "Not Found"}"#.utf8)).isEmpty)
    }

    @Test func `a newer release is told once for each recorder whose firmware is known`() async throws {
        let requests = Mutex(0)
        let server = try ScriptedServer { connection in
            guard connection.request() != nil else { return }
            requests.withLock { $0 += 1 }
            connection.answer(200, ["Content-Type: application/json"], Self.releases)
        }
        defer { server.stop() }
        let config = Config { $0[DictofunKeys.firmwareReleases] = "http://127.0.0.1:\(server.port)/releases" }
        let fixture = try DictofunFixture(config)
        // No recorder: nothing is asked.
        try await fixture.dictofun.announceFirmware()
        #expect(requests.withLock(\.self) == 0)
        let versions = ["C0:DE:00:00:00:01": "1.4", "C0:DE:00:00:00:02": "1.5", "C0:DE:00:00:00:03": nil]
        try await fixture.dictofun.store.write(Operation("pair", kind: .cache)) { transaction in
            for (address, version) in versions {
                try transaction.saveDevice(
                    Device(
                        address: address, advertisedName: "dict", isPaired: true,
                        firmware: version.flatMap { FirmwareVersion($0) }))
            }
        }
        for _ in 0..<2 { try await fixture.dictofun.announceFirmware() }
        let events = try await fixture.database.store(for: "core").read {
            try $0.recentEvents(matching: ["app.dictofun/firmware-released"], since: nil, limit: 10)
        }
        #expect(events.map(\.subject) == ["C0:DE:00:00:00:01"])
        #expect(try events.map { try $0.event.fields()["version"]?.string } == ["1.5"])
        let compared = try await fixture.dictofun.compareFirmware(with: [try #require(FirmwareVersion("1.5"))])
        let sentences = compared.map {
            FirmwareCommands.sentence(String($0.device.address.suffix(2)), $0.check, release: true)
        }
        #expect(
            sentences.sorted() == [
                "01 has firmware 1.4: 1.5 is newer", "02 has firmware 1.5: no release is newer",
                "the firmware of 03 is unknown: recorders do not report it",
            ])
    }

    @Test func `a list of releases that cannot be had is told, and without one nothing is asked`() async throws {
        let server = try ScriptedServer { connection in
            guard connection.request() != nil else { return }
            connection.answer(404, [], "{}")
        }
        defer { server.stop() }
        func code(_ url: String?, isOffline: Bool = false) async throws -> String? {
            let fixture = try DictofunFixture(
                Config { $0[DictofunKeys.firmwareReleases] = url }, isOffline: isOffline)
            do { _ = try await fixture.dictofun.firmwareReleases() } catch let error as HubError { return error.code }
            return nil
        }
        #expect(try await code("http://127.0.0.1:\(server.port)/releases") == "firmware-releases-unavailable")
        #expect(try await code("no url") == "firmware-releases-url")
        #expect(try await code("http://127.0.0.1:\(server.port)/", isOffline: true) == "offline")
        #expect(try await code(nil) == "firmware-releases-unset")
        try await DictofunFixture().dictofun.announceFirmware()
    }

    @Test func `the firmware of a recorder is noted, and it was not heard by that`() async throws {
        let fixture = try DictofunFixture()
        let device = Device(address: "C0:DE:00:00:00:01", advertisedName: "dict", alias: "desk", isPaired: true)
        try await fixture.dictofun.store.write(Operation("pair", kind: .cache)) {
            try $0.saveDevice(device, isHeard: false)
        }
        let operation = Operation("dictofun devices set")
        try await fixture.dictofun.change(device, firmware: FirmwareVersion("7"), operation: operation)
        let stored = try #require(try await fixture.dictofun.devices().first)
        #expect(stored.device.firmware == FirmwareVersion("7") && stored.device.name == "desk")
        #expect(stored.seenAt == nil)
        try await fixture.dictofun.change(stored.device, alias: "office", operation: operation)
        let renamed = try #require(try await fixture.dictofun.devices().first).device
        #expect(renamed.firmware == FirmwareVersion("7") && renamed.name == "office")
        let hub = try DictofunHub()
        let refused = await hub.run("dictofun devices set desk")
        #expect(refused.exit == 64 && refused.messages.contains("--firmware VERSION"))
        #expect(await hub.run("dictofun devices set desk --firmware x").messages.contains("such as 7 or 1.4.2"))
    }

    @Test func `an update is planned, and confirmed before it begins`() async throws {
        let hub = try DictofunHub()
        let path = hub.home.path + "/dictofun.zip"
        try Self.write(Self.zip(), to: path)
        let alone = await hub.run("dictofun firmware update \(path)")
        #expect(alone.exit == 1 && alone.messages.contains("no recorder is paired"), "\(alone.messages)")
        let device = Device(address: "C0:DE:00:00:00:01", advertisedName: "dict", alias: "desk", isPaired: true)
        try await hub.write { try $0.saveDevice(device) }
        let plan = await hub.run("dictofun firmware update \(path) --dry-run")
        #expect(plan.output + plan.messages == "Would install application 7 (1 kB) on desk\n")
        let refused = await hub.run("dictofun firmware update \(path) desk")
        #expect(refused.exit == 64 && refused.messages.contains("confirmation needed: firmware would be installed"))
        // A wrong word is no confirmation.
        let console = ScriptedConsole(answers: ["y"])
        let cancelled = await hub.run("dictofun firmware update \(path) desk", console: console)
        #expect(cancelled.output + cancelled.messages == "Cancelled\n")
        #expect(
            console.transcript == [
                "the firmware of desk is unknown: recorders do not report it",
                "Install application 7 (1 kB) on desk? Type desk to confirm: y",
            ])
    }

    @Test func `the tests of the transfer are for development mode`() async throws {
        let hub = try DictofunHub()
        let refused = await hub.run("dictofun test-fts 1")
        #expect(refused.exit == 64 && refused.messages.contains("hub config set plugins.dictofun.development true"))
        #expect(await hub.run("config set plugins.dictofun.development true").exit == 0)
        #expect(await hub.run("dictofun test-fts 1 none").messages.contains("no paired recorder matches"))
        #expect(await hub.run("dictofun test-fts 4").messages.contains("1, 2 or 3"))
    }
}
