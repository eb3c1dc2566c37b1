import DAVTestSupport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Two hubs keep one book in step and are killed in the middle of it, again and again. `HUB_TEST_SEED` draws other rounds.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct SyncKillTests {
    /// The kind of account.
    enum Keeper: CaseIterable {
        case folder, radicale, xandikos
    }

    private static let people = 60
    private static let rounds = 24

    @Test(.seeded, arguments: Keeper.allCases)
    func `two hubs that are killed in mid-sync end equal, with nothing lost`(keeper: Keeper) async throws {
        var random = SeededGenerator(seed: 20_261_126)
        let shared = try await SharedAccount(keeper, people: Self.people)
        // The addresses that were reported as added to each person.
        var added: [Int: Set<String>] = [:]
        var count = Self.people
        var killed = 0
        for round in 0..<Self.rounds {
            let hub = shared.hubs[Int.random(in: 0...1, using: &random)]
            for step in 0..<2 {
                let number = Int.random(in: 0..<Self.people, using: &random)
                let address = "r\(round)s\(step)@example.org"
                let done = try await hub.runInProcess("contacts", "set", "name:Person \(number)x", "email+=\(address)")
                #expect(done.code == 0, "\(done.all)")
                added[number, default: []].insert(address)
            }
            if round.isMultiple(of: 4) {
                let made = try await hub.runInProcess("contacts", "new", "Person \(count)x", "--book", "home")
                #expect(made.code == 0, "\(made.all)")
                count += 1
            }
            let child = try Child(["contacts", "sync", "--yes"], in: hub)
            if round.isMultiple(of: 3) {
                #expect([0, 2].contains(await child.wait()), "\(hub.read("child.log") ?? "")")
                continue
            }
            try await Task.sleep(for: shared.duration * Double.random(in: 0..<1, using: &random))
            child.signal(SIGKILL)
            if await child.wait() == 128 + SIGKILL { killed += 1 }
        }
        // The number depends on the speed of the machine.
        #expect(killed > 0)
        for _ in 0..<3 { for hub in shared.hubs { try await hub.runInProcess("contacts", "sync", "--yes") } }
        var books: [[String: Set<String>]] = []
        for hub in shared.hubs {
            let last = try await hub.runInProcess("contacts", "sync", "--yes")
            #expect(last.output.contains("up to date"), "\(last.all)")
            let conflicts = try await hub.runInProcess("contacts", "conflicts", "--plain")
            #expect(conflicts.output.isEmpty && conflicts.code == 0)
            #expect(try await hub.runInProcess("doctor").code == 0)
            books.append(SharedAccount.addresses(in: try await hub.runInProcess("contacts", "export").output))
        }
        #expect(books[0] == books[1] && books[0].count == count)
        for (number, addresses) in added {
            #expect(addresses.subtracting(books[0]["Person \(number)x"] ?? []) == [])
        }
    }
}

/// A book and the two hubs that share it.
private struct SharedAccount {
    let hubs: [Sandbox]
    /// The duration of a sync of the second hub with one card to send.
    let duration: Duration
    private let server: PeerServer?

    init(_ keeper: SyncKillTests.Keeper, people: Int) async throws {
        hubs = [try Sandbox(), try Sandbox()]
        var add = ["contacts", "accounts", "add", "home"]
        switch keeper {
        case .folder:
            server = nil
            let folder = hubs[0].folder + "/cards"
            mkdir(folder, 0o700)
            // A folder is a book once there is a card in it.
            try hubs[0].write(Self.card(0), to: "cards/0.vcf")
            add.append(folder)
        case .radicale, .xandikos:
            let server = try await keeper == .radicale ? RadicaleServer.start() : XandikosServer.start()
            self.server = server
            if keeper == .radicale { try Self.makeBook(server) }
            add += ["http://127.0.0.1:\(server.port)", "--user", "ann", "--password-command", "echo secret"]
        }
        try await Self.run(hubs[0], add)
        let first = keeper == .folder ? 1 : 0
        let file = try hubs[0].write((first..<people).map(Self.card).joined(), to: "people.vcf")
        try await Self.run(hubs[0], ["contacts", "import", file])
        let ids = try await hubs[0].runInProcess("contacts", "list", "--plain=id").output
        let moved = try await hubs[0].runInProcess("contacts", "move", "-", "home", input: ids)
        #expect(moved.code == 0, "\(moved.all)")
        try await Self.run(hubs[0], ["contacts", "sync", "--yes"])
        try await Self.run(hubs[1], add)
        // The first sync takes longer than all others.
        try await Self.run(hubs[1], ["contacts", "sync", "--yes"])
        try await Self.run(hubs[1], ["contacts", "set", "name:Person 1x", "email+=timed@example.org"])
        let begin = ContinuousClock.now
        // A process, as those that are killed.
        let timed = try await hubs[1].run("contacts", "sync", "--yes")
        #expect(timed.code == 0, "\(timed.all)")
        duration = ContinuousClock.now - begin
    }

    /// Creates an address book the way Radicale stores it: without one there is no account to add.
    private static func makeBook(_ server: PeerServer) throws {
        let folder = server.data + "/collection-root/ann/shared"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(#"{"tag": "VADDRESSBOOK", "D:displayname": "shared"}"#.utf8).write(
            to: URL(filePath: folder + "/.Radicale.props"))
    }

    private static func run(_ hub: Sandbox, _ words: [String]) async throws {
        let finished = try await hub.runInProcess(words)
        #expect(finished.code == 0, "\(words): \(finished.all)")
    }

    private static func card(_ number: Int) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:p\(number)\r\nFN:Person \(number)x\r\nN:;Person \(number)x;;;\r\nEND:VCARD\r\n"
    }

    /// The e-mail addresses of everybody in a file of cards, by name.
    static func addresses(in text: String) -> [String: Set<String>] {
        var book: [String: Set<String>] = [:]
        var name = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("FN:") {
                name = String(line.dropFirst(3))
                book[name] = book[name] ?? []
            } else if line.hasPrefix("EMAIL"), let colon = line.firstIndex(of: ":") {
                book[name, default: []].insert(String(line[line.index(after: colon)...]))
            }
        }
        return book
    }
}
