import Commands
import ContactsDomain
import Glibc
import HubKit
import HubKitTesting
import Storage
import Sync
import TestSupport
import Testing

@testable import Contacts

@Suite struct AccountUseCaseTests {
    private static let entry = KeyringEntry.account(
        plugin: "contacts", name: "posteo", origin: "https://posteo.de:443")
    private let fixture: AccountFixture
    private let posteo = Account(name: "posteo", address: .server("https://posteo.de"), user: "ada")

    init() throws { fixture = try AccountFixture() }

    private var settings: [String] { fixture.settings.all.map(\.path.description) }

    @Test func `a server is tested, then kept with its password in the keyring`() async throws {
        let books = try await fixture.accounts.add(posteo, password: .typed("secret"))
        #expect(books.map(\.name) == ["Contacts"])
        #expect(try await fixture.books.all().map(\.fullName) == ["posteo/Contacts"])
        #expect(fixture.secrets.entries == [AccountUseCaseTests.entry: "secret"])
        #expect(settings == ["accounts.posteo.url", "accounts.posteo.user"])
        #expect(
            try fixture.account("posteo")
                == ConfiguredAccount(account: posteo, password: .keyring(AccountUseCaseTests.entry)))
    }

    @Test func `a password kept elsewhere is named in the config file and not copied`() async throws {
        _ = try await fixture.accounts.add(posteo, password: .source(.command("secret")))
        #expect(fixture.secrets.entries.isEmpty)
        #expect(try fixture.account("posteo").password == .command("secret"))
    }

    @Test func `a server without a book is kept, and a book that is not there is not`() async throws {
        fixture.links.removeBooks()
        #expect(try await fixture.accounts.add(posteo, password: .typed("secret")).isEmpty)
        #expect(try fixture.account("posteo").account == posteo)
        let chess = Account(name: "chess", address: posteo.address, user: posteo.user, collections: ["Chess"])
        let error = await #expect(throws: HubError.self) {
            try await fixture.accounts.add(chess, password: .typed("secret"))
        }
        #expect(error?.kind == .notFound)
        #expect(throws: HubError.self) { try fixture.account("chess") }
    }

    @Test func `of an account that fails nothing is kept`() async throws {
        let accounts = fixture.accounts
        let denied = await #expect(throws: HubError.self) { try await accounts.add(posteo, password: .typed("wrong")) }
        #expect(denied?.kind == .denied && denied?.hint?.contains("nothing was saved") == true)
        fixture.links.fail(.needsOAuth(service: "Google"))
        let google = await #expect(throws: HubError.self) { try await accounts.add(posteo, password: .typed("secret")) }
        #expect(google?.code == "account-needs-oauth")
        fixture.links.fail(nil)
        fixture.secrets.goAway()
        let keyring = await #expect(throws: HubError.self) {
            try await accounts.add(posteo, password: .typed("secret"))
        }
        #expect(keyring?.kind == .unavailable && keyring?.hint?.contains("--password-command") == true)
        // What a sign-in granted is no password that a command could print.
        let granted = await #expect(throws: HubError.self) {
            try await accounts.add(posteo, password: .granted("secret"))
        }
        #expect(granted?.hint?.contains("then sign in") == true && granted?.message.contains("access") == true)
        #expect(fixture.settings.all.isEmpty && fixture.secrets.entries.isEmpty)
        #expect(try await fixture.hub.contacts.read { try $0.books() }.isEmpty)
    }

    @Test func `a sign-in begins only for an account that can be kept`() async throws {
        let accounts = fixture.accounts
        let signIn = { (isNew: Bool) in
            try await accounts.signIn(to: posteo, client: Array("{}".utf8), isNew: isNew) { _ in }
        }
        fixture.secrets.goAway()
        let locked = await #expect(throws: HubError.self) { try await signIn(true) }
        #expect(locked?.message.contains("cannot be stored in the keyring") == true && fixture.links.signIns == 0)
        fixture.secrets.comeBack()
        // The keyring was only tried.
        #expect(try await signIn(true) == .granted("secret") && fixture.links.signIns == 1)
        #expect(fixture.secrets.entries.isEmpty)
        try await accounts.add(posteo, password: .granted("secret"))
        let taken = await #expect(throws: HubError.self) { try await signIn(true) }
        #expect(taken?.code == "account-exists" && fixture.links.signIns == 1)
        #expect(try await signIn(false) == .granted("secret") && fixture.links.signIns == 2)
        #expect(Array(fixture.secrets.entries.values) == ["secret"])
    }

    @Test func `a name is taken once, and must be one`() async throws {
        try await fixture.addFolder("home", "Ada")
        let again = Account(name: "home", address: .folder("/"))
        let twice = await #expect(throws: HubError.self) {
            try await fixture.accounts.add(again, password: .none)
        }
        #expect(twice?.kind == .conflict)
        let odd = Account(name: "a/b", address: .folder("/"))
        let named = await #expect(throws: HubError.self) { try await fixture.accounts.add(odd, password: .none) }
        #expect(named?.kind == .usage)
    }

    @Test func `an edit is tested first and changes only what it says`() async throws {
        _ = try await fixture.accounts.add(posteo, password: .typed("secret"))
        let accounts = fixture.accounts
        await #expect(throws: HubError.self) { try await accounts.edit(posteo, password: .typed("wrong")) }
        #expect(fixture.secrets.entries == [AccountUseCaseTests.entry: "secret"])
        let slower = Account(name: "posteo", address: posteo.address, user: "ada", every: .seconds(3600))
        _ = try await accounts.edit(slower, password: nil)
        #expect(try fixture.account("posteo").account == slower)
        _ = try await accounts.edit(posteo, password: .source(.command("secret")))
        #expect(settings == ["accounts.posteo.url", "accounts.posteo.user", "accounts.posteo.password"])
    }

    @Test func `a disconnected account leaves its contacts here and nothing else`() async throws {
        let home = try await fixture.addFolder("home", "Ada", "Bob")
        try await fixture.syncing(home)
        #expect(try await fixture.accounts.list(["home"]).first?.state.contacts == 2)
        _ = try await fixture.accounts.remove("home")
        #expect(try await fixture.names() == ["Ada", "Bob"])
        #expect(fixture.settings.all.isEmpty)
        #expect(fixture.folder.names(in: "home") == ["Ada.vcf", "Bob.vcf"])
        // Connected again it knows its contacts.
        try await fixture.syncing(try await fixture.addFolder("home"))
        #expect(try await fixture.names() == ["Ada", "Bob"])
    }

    @Test func `errors in the config file are reported`() throws {
        try fixture.settings.apply([.set(AddressBooks.kind.keys.user, "half", .text("ada"))])
        let error = #expect(throws: HubError.self) { try fixture.books.registry.accounts() }
        #expect(error?.code == "account-without-url")
        #expect(throws: HubError.self) {
            try fixture.settings.apply([.set(AddressBooks.kind.keys.address, "half", .text("not an address"))])
        }
    }

    @Test func `new contacts go to the book of the only account, or where the setting says`() async throws {
        let resolve = fixture.books
        #expect(try await resolve.forNewContacts() == nil)
        try await fixture.addFolder("home", "Ada")
        #expect(try await resolve.forNewContacts()?.fullName == "home/home")
        try await fixture.addFolder("team", "Bob")
        #expect(try await resolve.forNewContacts() == nil, "nobody can tell which")
        try await fixture.settings.apply([.set(ConfigPath(["default_book"]), .text("team"))])
        #expect(try await resolve.forNewContacts()?.fullName == "team/team")
        try await fixture.settings.apply([.set(ConfigPath(["default_book"]), .text("here"))])
        #expect(try await resolve.forNewContacts() == nil)
        await #expect(throws: HubError.self) { try await resolve.one("wrok") }
    }

    @Test func `the book of new contacts stays when others come`() async throws {
        try Directory.make(fixture.folder.path + "/home/Family")
        try Directory.make(fixture.folder.path + "/home/Work")
        let home = try await fixture.addFolder("home")
        let resolve = fixture.books
        #expect(try await resolve.forNewContacts()?.fullName == "home/Family")
        _ = try await fixture.books.create("Aardvark", in: "home")
        try Directory.make(fixture.folder.path + "/home/Bears")
        try await fixture.syncing(home)
        #expect(try await resolve.all().count == 4)
        #expect(try await resolve.forNewContacts()?.fullName == "home/Family")
    }

    @Test func `the same folder is connected once, by whatever way`() async throws {
        try Directory.make(fixture.folder.path + "/home/family")
        try await fixture.addFolder("home", "Ada")
        symlink(fixture.folder.path + "/home", fixture.folder.path + "/link")
        for path in ["home", "home/", "home/../home", "home/family", "link"] {
            let again = Account(name: "again", address: .folder("\(fixture.folder.path)/\(path)"))
            let error = await #expect(throws: HubError.self) {
                try await fixture.accounts.add(again, password: .none)
            }
            #expect(error?.code == "same-collection" && error?.hint?.contains("--force") == true, "\(path)")
        }
        #expect(try fixture.books.registry.accounts().count == 1)
    }

    @Test func `a copy of the same cards is noticed by their UIDs`() async throws {
        try await fixture.syncing(try await fixture.addFolder("home", "Ada", "Bob", "Cleo"))
        func copy(_ names: [String], to folder: String) throws -> Account {
            for name in names {
                try fixture.folder.write(
                    vcard("home-\(name)", "FN:\(name)", "N:\(name);;;;"), to: "\(folder)/\(name).vcf")
            }
            return Account(name: folder, address: .folder("\(fixture.folder.path)/\(folder)"))
        }
        let mirror = try copy(["Ada", "Bob"], to: "mirror")
        try fixture.write("Zoe", in: "mirror")
        let error = await #expect(throws: HubError.self) {
            try await fixture.accounts.add(mirror, password: .none)
        }
        #expect(error?.code == "same-collection" && error?.details.first?.hasPrefix("2 of 3 cards") == true)
        #expect(try await fixture.accounts.add(mirror, password: .none, isForced: true).count == 1)
        let other = try copy(["Cleo"], to: "other")
        try fixture.write("Yan", in: "other")
        #expect(try await fixture.accounts.add(other, password: .none).count == 1, "half is not more than half")
    }

    @Test func `cards with the UID of another one are merged and removed, and another person is kept`() async throws {
        let home = try await fixture.addFolder("home", "Bob")
        let cards = [
            "a": vcard("x", "FN:Ada", "N:Ada;;;;"), "b": vcard("x", "FN:Ada", "N:Ada;;;;"),
            "c": vcard("x", "FN:Ada", "N:Ada;;;;", "TEL:1"), "d": vcard("x", "FN:Zed", "N:Zed;;;;"),
        ]
        try fixture.folder.write(try #require(cards["a"]), to: "home/a.vcf")
        try await fixture.syncing(home)
        for (name, text) in cards where name != "a" { try fixture.folder.write(text, to: "home/\(name).vcf") }
        #expect(try await fixture.syncing(home).problems.map(\.cause.reason) == [.sameUID, .sameUID, .sameUID])
        let book = try #require(try await fixture.books.one("home"))
        let twins = try await fixture.books.twins(in: book)
        let outcomes = twins.sorted { $0.href < $1.href }.map { twin in
            switch twin.outcome {
            case .equal: "equal"
            case .merged(let changes): "merged \(changes.map(\.description))"
            case .separate: "separate"
            case .unreadable: "unreadable"
            }
        }
        #expect(outcomes == ["equal", "merged [\"phone 1\"]", "separate"])
        fixture.hub.clock.advance(by: .seconds(1))
        let operation = fixture.hub.operation("contacts books clean")
        #expect(try await fixture.books.clean(twins, in: book, operation: operation).isEmpty)
        #expect(fixture.folder.names(in: "home").sorted() == ["Bob.vcf", "a.vcf"])
        let report = try await fixture.syncing(home)
        #expect(report.run.problems == 0 && report.run.sent.new == 1 && report.run.sent.changed == 1)
        #expect(try await fixture.names() == ["Ada", "Bob", "Zed"])
        #expect(try await fixture.books.twins(in: book).isEmpty)
        #expect(try await fixture.syncing(home).run.sent.total == 0)
    }

    @Test func `a move is an edit that undo takes back, before and after a sync`() async throws {
        let home = try await fixture.addFolder("home", "Ada")
        let team = try await fixture.addFolder("team", "Bob")
        try await fixture.syncing(home)
        try await fixture.syncing(team)
        let ada = try #require(try await fixture.hub.plugin.filter(ContactFilter()).first)
        let target = try #require(try await fixture.books.one("team"))
        fixture.hub.clock.advance(by: .seconds(1))
        let moved = try await fixture.books.move(
            [ada.id], to: target, operation: fixture.hub.operation("contacts move"))
        #expect(moved.map(\.name) == ["Ada"])
        var filter = ContactFilter()
        filter.books = [target.id]
        #expect(try await fixture.hub.plugin.filter(filter).map(\.name) == ["Ada", "Bob"])
        for _ in 0..<2 {
            try await fixture.syncing(home)
            try await fixture.syncing(team)
        }
        #expect(fixture.folder.names(in: "home").isEmpty && fixture.folder.names(in: "team").count == 2)
        fixture.hub.clock.advance(by: .seconds(1))
        let history = fixture.hub.database.history
        #expect(try await history.undo(nil, as: fixture.hub.operation("undo")).isPossible)
        for _ in 0..<2 {
            try await fixture.syncing(home)
            try await fixture.syncing(team)
        }
        #expect(fixture.folder.names(in: "home").count == 1 && fixture.folder.names(in: "team") == ["Bob.vcf"])
        #expect(try await fixture.names() == ["Ada", "Bob"])
    }
}
