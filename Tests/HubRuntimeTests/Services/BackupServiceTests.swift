import CivilDate
import Contacts
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing

@testable import HubRuntime

/// The backups that `hub serve` makes.
struct BackupServiceTests {
    private static func days(_ texts: [String]) -> [CivilDate] { texts.compactMap { CivilDate($0) } }

    @Test func `the newest of each of the last days, weeks and months with a backup stays`() throws {
        let rule = try #require(BackupRetention("2d 2w 3m"))
        // Two on one day; a Monday is in another week than the Sunday before it.
        let made = Self.days([
            "2026-11-20", "2026-11-20", "2026-11-19", "2026-11-16", "2026-11-15", "2026-10-31", "2026-10-01",
            "2026-08-02",
            "2026-07-30",
        ])
        #expect(rule.superfluous(made) == [1, 3, 6, 8])
    }

    @Test func `a rule that would keep none is refused, and the newest stays by every rule`() throws {
        for text in ["", "0d", "7", "7x", "7d 3d", "-1d", "d", "99999d"] {
            #expect(BackupRetention(text) == nil, "\(text)")
        }
        let rule = try #require(BackupRetention("1m"))
        #expect(rule.superfluous(Self.days(["2026-11-20", "2026-11-19"])) == [1])
        #expect(rule.superfluous([]) == [])
    }

    @Test func `names of backups tell their time, and other names are left alone`() {
        #expect(BackupFolder.backup(named: "hub-2026-11-20T181500-2.db")?.time.hour == 18)
        for name in ["hub-2026-02-30T181500.db", "hub-2026-11-20T251500.db", "hub-2026-11-20.db", "x.db"] {
            #expect(BackupFolder.backup(named: name) == nil, "\(name)")
        }
    }

    @MainActor @Test func `backups are made when one is due, and the doctor tells when the last is old`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        try hub.folder.write("[hub.backup]\nfolder = \"~/backups\"\nkeep = \"2d\"\n", to: ".config/hub/config.toml")
        await hub.run("contacts new Ada")
        func makeIfDue() async throws -> String? {
            let host = hub.hub()
            do {
                let path = try await ScheduledBackups(host)?.makeIfDue()
                await host.close()
                return path
            } catch {
                await host.close()
                throw error
            }
        }
        func names() throws -> [String] { try DirectoryHandle(hub.home + "/backups").names().map { "\($0)" }.sorted() }
        let missing = await #expect(throws: HubError.self) { _ = try await makeIfDue() }
        #expect(missing?.code == "backup-folder-missing")
        #expect(
            await hub.run("doctor --plain=check,state,finding").output.contains(
                "backups\twarn\t\(hub.home)/backups has no backup"))
        #expect(mkdir(hub.home + "/backups", 0o700) == 0)
        let first = try #require(try await makeIfDue())
        #expect(try await makeIfDue() == nil)
        #expect(await hub.run("doctor --plain=check,state").output.contains("backups\tok"))
        for _ in 0..<3 {
            hub.clock.advance(by: .seconds(86_400))
            #expect(try await makeIfDue() != nil)
        }
        #expect(try names().count == 2 && access(first, F_OK) != 0)
        hub.clock.advance(by: .seconds(4 * 86_400))
        let old = await hub.run("doctor --plain=check,state,finding")
        #expect(
            old.output.contains("backups\twarn\tthe last backup in \(hub.home)/backups was made 4 days ago"),
            "\(old.all)")
        // Another disk in its place, or none.
        for name in try names() { unlink(hub.home + "/backups/" + name) }
        let empty = await #expect(throws: HubError.self) { _ = try await makeIfDue() }
        #expect(empty?.code == "backup-folder-empty")
        #expect(try names().isEmpty)
    }

    @MainActor @Test func `a backup on stdout is one that can be restored`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        await hub.run("contacts new Ada")
        #expect(await hub.run("backup - --keep 3").exit == 64)
        #expect(await hub.run("backup - -o \(hub.home)/copy.db").exit == 0)
        #expect(try DirectoryHandle(hub.home + "/.cache/hub").names().allSatisfy { !"\($0)".hasPrefix("backup-") })
        await hub.run("contacts new Jan")
        #expect(await hub.run("restore \(hub.home)/copy.db --yes").exit == 0)
        #expect(await hub.run("contacts list --plain=name").output == "Ada\n")
    }
}
