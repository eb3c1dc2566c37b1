import Commands
import HubKit
import HubKitTesting
import SQLite
import Storage
import Sync
import TestSupport
import Testing

/// Collections of items on a server.
struct CollectionAccountTests {
    private let server = JotServer()
    private let hub: ToyHub<Jots>
    private let add = "jots accounts add box https://notes.example.org --user ada --password-command secret"

    init() throws { hub = try ToyHub { [server] in Jots($0, server) } }

    private func write(_ name: String) async throws {
        try await hub.store.write(System.Operation("jots new")) {
            try $0.run("INSERT INTO jots_item VALUES (NULL, 'Home', ?, 0)", name)
        }
    }

    @Test func `an account is tested, stored, listed and removed`() async throws {
        #expect(try await hub.run("jots accounts list").contains("! No accounts"))
        let wrong = add.replacing("secret", with: "wrong")
        #expect(await hub.error(wrong) == "account-denied")
        #expect(hub.settings.all.isEmpty)
        #expect(
            try await hub.run(add) == [
                "box is connected: https://notes.example.org, 2 collections", "  Home", "  Work",
                "Next: hub jots sync box",
            ])
        #expect(await hub.error(add) == "account-exists")
        #expect(try await hub.run("jots accounts test box").last == "  Work")
        #expect(try await hub.run("jots status") == ["box  new  0 notes, never synced"])
        #expect(
            try await hub.run("jots accounts edit box --only Work --every 5min").first?.contains("is changed") == true)
        let removed = try await hub.run("jots accounts rm box", console: ScriptedConsole(answers: ["y"]))
        #expect(
            removed == [
                "Disconnected box; 0 notes are kept here. To revert: hub jots accounts add box https://notes.example.org "
                    + "--user ada --password-command secret --every 5min --only Work"
            ])
        #expect(hub.settings.all.isEmpty)
    }

    @Test func `a folder needs no password, and an identifier is no address`() async throws {
        try await hub.run("jots accounts add home \(hub.folder.path)")
        #expect(try hub.plugin.accounts.registry.account("home").password == nil)
        #expect(await hub.error("jots accounts add x 0042") == "no-address")
    }

    @Test func `a sync shows its progress and counts, and asks before a consequence`() async throws {
        try await hub.run(add)
        let console = ScriptedConsole()
        let lines = try await hub.run("jots sync", console: console)
        #expect(lines.first?.hasPrefix("box  received 3 new") == true)
        #expect(console.progress.map(\.completed) == [1, 2, 3])
        #expect(console.progress.last == Progress("box", completed: 3, of: 3, unit: "notes"))
        try await write("cake")
        #expect(
            try await hub.run("jots status").first?.hasSuffix("local changes will be sent with the next sync") == true)
        #expect(await hub.error("jots sync") == "confirmation-needed")
        let refused = try await hub.run("jots sync", console: ScriptedConsole(answers: ["n"]))
        #expect(refused.last == "! cake was not sent")
        #expect(try await hub.run("jots sync --yes").first?.hasPrefix("box  sent 1 new") == true)
        #expect(try server.collections()["Home"] == ["tea", "cake"])
    }

    @Test func `a command that waits for another process reports the result of that`() async throws {
        try await hub.run(add)
        let other = OtherProcess(try await hub.locks.tryAcquire("jots/box"))
        let (store, setup) = (hub.store, try hub.plugin.accounts.registry.account("box"))
        let report = try await hub.plugin.accounts.sync(setup, SyncRequest(System.Operation("jots sync"))) { holder in
            #expect(holder != nil)
            Task.detached {
                try await store.write(JotAccounts.kind.operation) { transaction in
                    var entry = SyncLogEntry(account: "box", finishedAt: 5, milliseconds: 7, nextAt: 9)
                    (entry.received.removed, entry.merged, entry.conflicts) = (12, 3, 4)
                    try transaction.saveSync(entry)
                }
                other.release()
            }
        }
        #expect(report.doneBy != nil && report.run.received.removed == 12 && report.run.merged == 3)
        #expect(report.run.conflicts == 4 && report.run.milliseconds == 7 && report.run.nextAt == 9)
        #expect(try await hub.plugin.accounts.list().first?.state.count == 0, "it did not do the work again")
    }

    @Test func `a held account is left alone by the service and shown as syncing`() async throws {
        try await hub.run(add)
        let other = OtherProcess(try await hub.locks.tryAcquire("jots/box"))
        #expect(try await hub.round() == .seconds(5))
        #expect(try await hub.status().first?.state == "syncing")
        other.release()
        // A child that another test starts at this moment may hold it until it has begun.
        _ = try await hub.locks.acquire("jots/box")
        #expect(try await hub.round() == .seconds(60))
        #expect(try await hub.status().first?.state == "synced")
    }

    @Test func `failures are logged, back off, and end with a success`() async throws {
        try await hub.run(add)
        server.fail(.serverError(reason: "500"))
        var waits: [Duration] = []
        for _ in 0..<3 {
            waits.append(try await hub.round(hasNews: true))
            let entry = try #require(try await hub.store.read { try $0.lastSync(of: "box") })
            #expect(entry.failures == waits.count)
            // Not before its time, whatever changes here.
            try await write("\(waits.count)")
            _ = try await hub.round(hasNews: true)
            #expect(try await hub.store.read { try $0.lastSync(of: "box") } == entry)
            hub.clock.advance(by: .milliseconds(entry.nextAt - hub.clock.now.milliseconds))
        }
        #expect(waits[0] >= .seconds(30) && waits[0] <= .seconds(60))
        #expect(hub.log.count == 3 && hub.log[0].contains("box reported a server error: 500"))
        let status = try #require(try await hub.status().first)
        #expect(status.state == "failing" && status.detail.contains("box reported a server error, next try"))
        let results = try await hub.sync()
        #expect(results.first?.text == "not synced" && results.first?.failure?.code == "account-server-error")
        server.fail(nil)
        hub.clock.advance(by: .seconds(3600))
        _ = try await hub.round()
        let healed = try #require(try await hub.status().first)
        #expect(healed.state == "synced" && healed.detail == "just now, local changes will be sent with the next sync")
        #expect(hub.log.last == "info: box: 3 received, 0 sent")
    }

    @Test func `a busy server is left alone for as long as it asks`() async throws {
        try await hub.run(add)
        server.fail(.busy(retryAfter: 5000))
        _ = try await hub.round()
        let entry = try #require(try await hub.store.read { try $0.lastSync(of: "box") })
        #expect(entry.nextAt - entry.finishedAt == 5_000_000)
    }

    @Test func `a local change is sent by the next round, and a removed account is forgotten`() async throws {
        try await hub.run(add)
        _ = try await hub.round()
        let before = try await hub.store.read { try $0.lastSync(of: "box") }
        hub.clock.advance(by: .seconds(5))
        _ = try await hub.round(hasNews: true)
        #expect(try await hub.store.read { try $0.lastSync(of: "box") } == before, "nothing is pending")
        try await write("cake")
        _ = try await hub.round(hasNews: true)
        #expect(try await hub.store.read { try $0.lastSync(of: "box") } != before)
        try await hub.run("jots accounts rm box --yes")
        #expect(try await hub.store.read { try $0.lastSync(of: "box") } == nil)
        #expect(try await hub.status().isEmpty)
    }
}

/// A device that comes and goes.
struct DeviceAccountTests {
    private let device = Device()
    private let hub: ToyHub<VoiceRecorder>

    init() throws { hub = try ToyHub { [device] in VoiceRecorder($0, device) } }

    @Test func `a device has neither URL nor password, and its own option`() async throws {
        #expect(await hub.error("recorder accounts add desk https://example.org") == "no-address")
        #expect(
            try await hub.run("recorder accounts add desk 00-42").prefix(2) == [
                "desk is connected: 0042, 1 recorder", "  battery 72 %",
            ])
        #expect(hub.settings.all.map(\.path.description) == ["accounts.desk.device"] && hub.secrets.entries.isEmpty)
        try await hub.run("recorder accounts edit desk --device 0043")
        #expect(try hub.plugin.accounts.registry.account("desk").account.address == .identifier("0043"))
        let add = try #require(AccountCommands<VoiceRecorder>.accounts.subcommand(named: "add"))
        #expect(add.options.map(\.name) == ["every"])
        #expect(
            try await hub.run("recorder accounts rm desk --yes") == [
                "Disconnected desk. To revert: hub recorder accounts add desk 0043"
            ])
    }

    @Test func `its recordings are fetched with progress in bytes, as often as it comes`() async throws {
        try await hub.run("recorder accounts add desk 0042")
        let console = ScriptedConsole()
        #expect(try await hub.run("recorder sync", console: console).first?.hasPrefix("desk  received 1 new") == true)
        #expect(console.progress.map(\.completed) == [100, 200, 300])
        #expect(console.progress.last == Progress("desk", completed: 300, unit: "kB"))
        device.move(near: false)
        device.record("2.wav")
        hub.clock.advance(by: .seconds(120))
        let entry = try await hub.store.read { try $0.lastSync(of: "desk") }
        // An absent device is not failing: it is looked for again at its interval.
        for _ in 0..<3 { #expect(try await hub.round() == .seconds(60)) }
        #expect(try await hub.store.read { try $0.lastSync(of: "desk") } == entry && hub.log.isEmpty)
        let results = try await hub.sync()
        #expect(results.map(\.text) == ["not there"] && results.allSatisfy { $0.failure == nil })
        #expect(try await hub.status().map(\.state) == ["synced"])
        #expect(await hub.error("recorder sync") == "account-unreachable", "a command that names it needs it")
        device.move(near: true)
        _ = try await hub.round()
        #expect(hub.log == ["info: desk: 1 received, 0 sent"])
        #expect(try await hub.store.read { try $0.row("SELECT count(*) FROM recorder_file") { $0.int(0) } } == 2)
    }
}

/// A provider with an API key and nothing to sync.
struct ProviderAccountTests {
    private let hub: ToyHub<Prices>

    init() throws { hub = try ToyHub { Prices(context: $0) } }

    @Test func `the key is asked for, stored in the keyring and tested`() async throws {
        #expect(await hub.error("prices accounts add main gecko") == "answer-needed")
        let wrong = ScriptedConsole(answers: ["k0"])
        #expect(await hub.error("prices accounts add main gecko", console: wrong) == "account-denied")
        #expect(wrong.transcript == ["API key at gecko: k0"] && hub.secrets.entries.isEmpty)
        try await hub.run("prices accounts add main gecko", console: ScriptedConsole(answers: ["k1"]))
        let entry = KeyringEntry.account(plugin: "prices", name: "main", origin: "id:gecko")
        #expect(hub.secrets.entries == [entry: "k1"] && KeyringEntry(account: entry.description) == entry)
        #expect(try await hub.run("prices accounts test main").last == "  free")
        // A key is for one provider and is not sent to another.
        #expect(await hub.error("prices accounts edit main --provider paprika") == "answer-needed")
        #expect(try await hub.run("prices sync").first?.hasPrefix("main  up to date") == true)
        #expect(try await hub.round() == .seconds(60))
        try await hub.run("prices accounts rm main --yes")
        #expect(hub.secrets.entries.isEmpty)
    }
}
