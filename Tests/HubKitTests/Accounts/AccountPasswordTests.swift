import Commands
import HubKit
import HubKitTesting
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Two plugins with accounts over one keyring and one config file.
private final class Accounts: Sendable {
    static let plugins = ["contacts", "mintee"]

    let secrets: MemorySecrets
    private let folder: TemporaryFolder
    private let settings: [String: MemorySettings]
    private let registers: [String: AccountRegistry]

    init(_ entries: [KeyringEntry: String] = [:], other: [(String, String)] = []) throws {
        secrets = MemorySecrets(entries)
        folder = try TemporaryFolder()
        let box = Box()
        var (settings, registers): ([String: MemorySettings], [String: AccountRegistry]) = ([:], [:])
        for plugin in Accounts.plugins {
            let kind = AccountKind(
                plugin: plugin, things: "things",
                addresses: AccountAddresses("URL", help: "a URL", description: "a URL", examples: "x", server: "dav"),
                unit: "things",
                texts: AccountTexts(
                    accounts: "", add: ("", "", []), edit: Example("", ""), remove: "", found: ("", ""), sync: ("", ""),
                    firstSteps: []))
            let mine = MemorySettings(kind.keys.all, plugin: plugin) {
                let others = box.settings.withLock { $0.filter { $0.key != plugin } }
                return others.flatMap { name, settings in
                    settings.all.map { ($0.path.prefixed(by: ["plugins", name]), $0.value) }
                }
                    + other.map {
                        (
                            ConfigPath($0.0.split(separator: ".").map(String.init)),
                            .table([.init("keyring", .text($0.1))])
                        )
                    }
            }
            settings[plugin] = mine
            registers[plugin] = AccountRegistry(
                kind, settings: mine, secrets: secrets,
                locks: FileLocks(directory: folder.path, clock: SystemClock()), clock: SystemClock(), bus: EventBus(),
                isOffline: false)
        }
        let made = settings
        box.settings.withLock { $0 = made }
        (self.settings, self.registers) = (settings, registers)
    }

    private final class Box: Sendable {
        let settings = Mutex<[String: MemorySettings]>([:])
    }

    func register(_ plugin: String) throws -> AccountRegistry { try #require(registers[plugin]) }

    static func account(_ server: String, user: String = "ada") -> Account {
        Account(name: "team", address: .server(server), user: user)
    }

    static func entry(_ plugin: String, _ server: String) -> KeyringEntry {
        .account(plugin: plugin, name: "team", origin: server + ":443")
    }

    /// Connects `team`, as an older hub wrote it: without an entry of its own.
    func write(_ plugin: String, _ server: String, user: String = "ada") throws {
        try #require(settings[plugin]).apply([
            .set(ConfigPath(["accounts", "team", "url"]), .text(server)),
            .set(ConfigPath(["accounts", "team", "user"]), .text(user)),
        ])
    }

    func password(_ plugin: String) async throws -> String? {
        let register = try register(plugin)
        return try await register.password(of: try register.account("team"))
    }
}

@Suite struct AccountPasswordTests {
    /// The actions on the account of one plugin, in this order: added, moved to another server, removed.
    private enum Step: Int, CaseIterable { case add, move, remove }

    /// All ways to interleave the steps of two plugins.
    private static let orders: [[Int]] = {
        func orders(_ left: (Int, Int)) -> [[Int]] {
            if left == (0, 0) { return [[]] }
            var all: [[Int]] = []
            if left.0 > 0 { all += orders((left.0 - 1, left.1)).map { [0] + $0 } }
            if left.1 > 0 { all += orders((left.0, left.1 - 1)).map { [1] + $0 } }
            return all
        }
        return orders((3, 3))
    }()

    @Test(arguments: orders)
    func `no server ever gets the password of another account`(order: [Int]) async throws {
        let strangers: [KeyringEntry: String] = [.named("team"): "a person's own", .old("other"): "of something else"]
        let accounts = try Accounts(strangers)
        var done = [0, 0]
        var servers: [String?] = [nil, nil]
        for index in order {
            let plugin = Accounts.plugins[index]
            let register = try accounts.register(plugin)
            let step = try #require(Step(rawValue: done[index]))
            let server = "https://\(plugin)-\(step.rawValue).org"
            switch step {
            case .add:
                try await register.add(Accounts.account(server), password: .typed("for \(server)")) {}
                servers[index] = server
            case .move:
                let moved = Accounts.account(server)
                #expect(try register.needsNewPassword(moved))
                await #expect(throws: HubError.self) { try await register.changed(moved, password: nil) }
                let (setup, secret) = try await register.changed(moved, password: .typed("for \(server)"))
                #expect(secret == "for \(server)")
                _ = try await register.replace(setup, password: .typed("for \(server)"))
                servers[index] = server
            case .remove:
                _ = try await register.remove(try register.account("team"))
                servers[index] = nil
            }
            done[index] += 1
            var expected = strangers
            for (plugin, server) in zip(Accounts.plugins, servers) {
                guard let server else { continue }
                expected[Accounts.entry(plugin, server)] = "for \(server)"
                #expect(try await accounts.password(plugin) == "for \(server)")
            }
            #expect(accounts.secrets.entries == expected)
        }
    }

    @Test func `an account that cannot be kept leaves the keyring as it was`() async throws {
        let entry = Accounts.entry("contacts", "https://a.org")
        for before in [nil, "kept before"] {
            let accounts = try Accounts(before.map { [entry: $0] } ?? [:])
            let register = try accounts.register("contacts")
            await #expect(throws: HubError.self) {
                try await register.add(Accounts.account("https://a.org"), password: .typed("new")) {
                    throw HubError(.internal, code: "x", "x")
                }
            }
            #expect(accounts.secrets.entries[entry] == before)
            #expect(try register.accounts().isEmpty)
        }
    }

    @Test func `of two processes that add an account under one name only one does, and its password stays`()
        async throws
    {
        let entry = Accounts.entry("contacts", "https://a.org")
        for plugin in Accounts.plugins {
            let accounts = try Accounts()
            let register = try accounts.register(plugin)
            let (inside, isInside) = AsyncStream<Void>.makeStream()
            let (release, mayEnd) = AsyncStream<Void>.makeStream()
            let first = Task {
                try await register.add(Accounts.account("https://a.org"), password: .typed("first")) {
                    isInside.yield()
                    for await _ in release { break }
                }
            }
            for await _ in inside { break }
            // The first has not ended, and the second comes with a password of its own.
            let second = Task {
                try await register.add(Accounts.account("https://a.org"), password: .typed("second")) {}
            }
            for _ in 0..<50 { await Task.yield() }
            mayEnd.yield()
            try await first.value
            let error = await #expect(throws: HubError.self) { try await second.value }
            #expect(error?.code == "account-exists")
            #expect(Array(accounts.secrets.entries.values) == ["first"])
            if plugin == "contacts" { #expect(accounts.secrets.entries[entry] == "first") }
        }
    }

    @Test func `an account that was refused while another was being added had nothing changed for it`() async throws {
        let accounts = try Accounts()
        let register = try accounts.register("contacts")
        let lock = try #require(try await register.locks.tryAcquire("accounts/contacts"))
        let waiting = Task { try await register.add(Accounts.account("https://a.org"), password: .typed("late")) {} }
        for _ in 0..<50 { await Task.yield() }
        #expect(accounts.secrets.entries.isEmpty, "nothing is kept before it is this one's turn")
        try accounts.write("contacts", "https://b.org")
        withExtendedLifetime(lock) {}
        _ = consume lock
        await #expect(throws: HubError.self) { try await waiting.value }
        #expect(accounts.secrets.entries.isEmpty)
    }

    @Test func `an account that became another one meanwhile is not removed`() async throws {
        let accounts = try Accounts()
        let register = try accounts.register("contacts")
        try await register.add(Accounts.account("https://a.org"), password: .typed("a")) {}
        let seen = try register.account("team")
        _ = try await register.remove(seen)
        try await register.add(Accounts.account("https://b.org"), password: .typed("b")) {}
        let error = await #expect(throws: HubError.self) { try await register.remove(seen) }
        #expect(error?.code == "account-changed")
        #expect(accounts.secrets.entries == [Accounts.entry("contacts", "https://b.org"): "b"])
    }

    @Test(arguments: Accounts.plugins)
    func `a password that the keyring cannot remove is told, with the entry that remains`(plugin: String) async throws {
        let accounts = try Accounts()
        let register = try accounts.register(plugin)
        try await register.add(Accounts.account("https://a.org"), password: .typed("a")) {}
        accounts.secrets.goAway()
        let remaining = try #require(try await register.remove(try register.account("team")))
        #expect(try register.accounts().isEmpty)
        #expect(remaining.entry == Accounts.entry(plugin, "https://a.org"))
        #expect(remaining.command == "hub secrets rm '\(plugin)/team for https://a.org:443'")
        #expect(remaining.note.level == .warning && remaining.note.text.contains("no session bus"))
        #expect(Output.done("").noting(remaining).exit == .partly)
        accounts.secrets.comeBack()
        let named = try #require(KeyringEntry(account: remaining.entry.description))
        #expect(try await accounts.secrets.remove(named))
        #expect(accounts.secrets.entries.isEmpty)
    }

    @Test func `only the text of an account's entry stands for one`() {
        let entry = KeyringEntry.account(plugin: "contacts", name: "team", origin: "https://a.org:443")
        #expect(KeyringEntry(account: entry.description) == entry)
        for text in ["team", "contacts/team", "contacts/team for ", "/team for x", "a/b/c for x", "a/b for x y", ""] {
            #expect(KeyringEntry(account: text) == nil, "\(text)")
        }
    }

    @Test func `a password of an older hub is moved once when it can belong to one account only`() async throws {
        let accounts = try Accounts([.old("team"): "secret"])
        try accounts.write("contacts", "https://a.org")
        #expect(try await accounts.password("contacts") == "secret")
        #expect(accounts.secrets.entries == [Accounts.entry("contacts", "https://a.org"): "secret"])
        // The account that comes later has nothing to take.
        try accounts.write("mintee", "https://b.org")
        await #expect(throws: HubError.self) { try await accounts.password("mintee") }
    }

    @Test(arguments: [("https://b.org", "ada"), ("https://a.org", "bob"), ("http://a.org", "ada")])
    func `one that may belong to another account is not read`(server: String, user: String) async throws {
        let accounts = try Accounts([.old("team"): "secret"])
        try accounts.write("contacts", "https://a.org")
        try accounts.write("mintee", server, user: user)
        for plugin in Accounts.plugins {
            let error = await #expect(throws: HubError.self) { try await accounts.password(plugin) }
            #expect(error?.hint?.contains("hub \(plugin) accounts edit team --password") == true)
        }
        let register = try accounts.register("contacts")
        _ = try await register.remove(try register.account("team"))
        #expect(accounts.secrets.entries == [.old("team"): "secret"])
    }

    @Test func `both accounts of one user at one server keep it`() async throws {
        let accounts = try Accounts([.old("team"): "secret"])
        for plugin in Accounts.plugins { try accounts.write(plugin, "https://a.org") }
        for plugin in Accounts.plugins { #expect(try await accounts.password(plugin) == "secret") }
        #expect(accounts.secrets.entries[.old("team")] == "secret")
    }

    @Test func `an entry that the config file names is nobody's but the person's`() async throws {
        let accounts = try Accounts([.old("team"): "secret"], other: [("plugins.other.token", "team")])
        try accounts.write("contacts", "https://a.org")
        await #expect(throws: HubError.self) { try await accounts.password("contacts") }
        #expect(accounts.secrets.entries == [.old("team"): "secret"])
    }

    @Test(arguments: [
        ("https://A.org", "https://a.org:443"), ("https://a.org:8443/dav/?x#y", "https://a.org:8443"),
        ("http://a.org/x:1/", "http://a.org:80"), ("https://u@a.org/", "https://a.org:443"),
        ("https://[::1]:5232/", "https://[::1]:5232"), ("HTTPS://a.org:0443", "https://a.org:443"),
    ])
    func `a server is its scheme, host and port`(text: String, origin: String) {
        #expect(Account.Address.server(text).origin == origin)
        #expect(Account.Address.mail("ada@Example.org").origin == "domain:example.org")
        #expect(Account.Address.folder("/x").origin == nil)
    }
}
