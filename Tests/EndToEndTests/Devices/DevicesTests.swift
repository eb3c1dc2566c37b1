import DAVTestSupport
import Testing

/// Contacts and tasks that hub serves to real programs.
@Suite(.timeLimit(.minutes(20)))
struct DevicesTests {
    private let server: DeviceServer
    private var sandbox: Sandbox { server.sandbox }
    private var address: String { server.address }

    init() throws { server = try DeviceServer() }

    @discardableResult
    private func run(_ line: String, location: SourceLocation = #_sourceLocation) async throws -> String {
        try await server.run(line, location: location)
    }

    private func add(_ words: String) async throws -> String { try await server.add(words) }

    private func configure(_ password: String) throws {
        try sandbox.write(
            """
            [general]
            status_path = "\(sandbox.folder)/status/"
            [pair contacts]
            a = "here"
            b = "there"
            collections = ["from b"]
            conflict_resolution = "b wins"
            [storage here]
            type = "filesystem"
            path = "\(sandbox.folder)/cards/"
            fileext = ".vcf"
            [storage there]
            type = "carddav"
            url = "http://\(address)/"
            username = "desk"
            password = "\(password)"

            """, to: "vdirsyncer.conf")
    }

    /// Adds the pair of tasks to the configuration.
    private func configureTasks(_ password: String) throws {
        try sandbox.write(
            """
            [general]
            status_path = "\(sandbox.folder)/status/"
            [pair tasks]
            a = "here"
            b = "there"
            collections = ["days", "birthdays"]
            conflict_resolution = "b wins"
            [storage here]
            type = "filesystem"
            path = "\(sandbox.folder)/tasks/"
            fileext = ".ics"
            [storage there]
            type = "caldav"
            url = "http://\(address)/"
            username = "desk"
            password = "\(password)"

            """, to: "vdirsyncer.conf")
    }

    private func sync() async throws {
        try await run("\(DeviceServer.peers)/vdirsyncer -c \(sandbox.folder)/vdirsyncer.conf sync")
    }

    /// The requests that the device has made since the last call.
    private func requests(after count: Int) async throws -> [String] {
        let lines = try await run("hub devices log desk --limit 1000 --plain=request").split(separator: "\n")
        return lines.dropFirst(count).map(String.init)
    }

    @Test func `vdirsyncer finds the contacts, and edits go both ways`() async throws {
        try await run("hub contacts new Ada Lovelace email=ada@example.org; hub contacts new Bob Stone")
        try configure(try await add("desk"))
        let daemon = try await Daemon(in: sandbox)
        try await run("yes | \(DeviceServer.peers)/vdirsyncer -c \(sandbox.folder)/vdirsyncer.conf discover contacts")
        try await sync()
        #expect(try await run("cat cards/all/*.vcf").contains("ada@example.org"))
        #expect(try await run("ls cards/all | wc -l").contains("2"))

        // A change on each side.
        try await run("sed -i 's/^END:VCARD/TEL;TYPE=CELL:+49 30 1\\r\\nEND:VCARD/' \"$(grep -l ada@ cards/all/*)\"")
        try await run("hub contacts set Bob note=quiet")
        try await sync()
        #expect(try await run("hub contacts show Ada").contains("+49 30 1"))
        #expect(try await run("cat cards/all/*.vcf").contains("quiet"))
        #expect(try await run("hub history").contains("desk"))
        try await sync()

        // One is made there, one removed there, one removed here.
        try sandbox.write(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c1\r\nFN:Cleo\r\nN:Cleo;;;;\r\nX-CUSTOM:1\r\nEND:VCARD\r\n",
            to: "cards/all/c1.vcf")
        try await run("rm \"$(grep -l 'FN:Bob' cards/all/*)\"")
        try await sync()
        #expect(try await run("hub contacts list").contains("Cleo"))
        #expect(try await !run("hub contacts list").contains("Bob"))
        try await run("hub contacts rm Ada --yes")
        try await sync()
        #expect(try await run("ls cards/all") == "c1.vcf\n")

        // Without a change there is nothing to fetch.
        let before = try await requests(after: 0).count
        try await sync()
        let quiet = try await requests(after: before)
        #expect(quiet.allSatisfy { $0.hasPrefix("PROPFIND") } && quiet.count <= 4, "\(quiet)")
        #expect(await daemon.end() == 0)
    }

    @Test func `vdirsyncer sees each book, fills them and makes one`() async throws {
        // A program that finds a book empty which had cards asks before it removes them: each keeps one.
        try await run(
            "hub contacts new Ada Lovelace email=ada@example.org; hub contacts new Zoe; hub contacts new Kim;"
                + " hub contacts books new here/Family; hub contacts move Kim here/Family")
        try configure(try await add("desk --each-book"))
        let config = try await run("cat vdirsyncer.conf")
        try sandbox.write(
            config.replacing("collections = [\"from b\"]", with: "collections = [\"from a\", \"from b\"]"),
            to: "vdirsyncer.conf")
        try await run("mkdir -p cards/chess")
        let daemon = try await Daemon(in: sandbox)
        try await run("yes | \(DeviceServer.peers)/vdirsyncer -c \(sandbox.folder)/vdirsyncer.conf discover contacts")
        #expect(try await run("hub contacts books").contains("here/chess"))
        try await sync()
        #expect(try await run("cat cards/here/*.vcf").contains("ada@example.org"))
        // The same card in two books is two, and a card that is moved there is moved here.
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c1\r\nFN:Cleo\r\nN:Cleo;;;;\r\nX-CUSTOM:1\r\nEND:VCARD\r\n"
        for book in ["chess", "family"] { try sandbox.write(card, to: "cards/\(book)/c1.vcf") }
        try await sync()
        #expect(try await run("hub contacts list --book here/chess --plain=name") == "Cleo\n")
        #expect(try await run("hub contacts list --book here/Family --plain=name | sort") == "Cleo\nKim\n")
        try await run("mv $(grep -l ada@example.org cards/here/*.vcf) cards/chess/ada.vcf; rm cards/family/c1.vcf")
        try await sync()
        #expect(try await run("hub contacts list --book here/chess --plain=name | sort") == "Ada Lovelace\nCleo\n")
        #expect(try await run("hub contacts list --book here --plain=name") == "Zoe\n")
        // A move here is one there.
        try await run("hub contacts move Ada here/Family")
        try await sync()
        #expect(try await run("cat cards/family/*.vcf").contains("ada@example.org"))
        #expect(try await run("ls cards/chess") == "c1.vcf\n")
        #expect(await daemon.end() == 0)
    }

    @Test func `vdirsyncer finds the tasks, ticks one and makes another`() async throws {
        try await run("hub mintee new Water --on 'daily: x >= 6'; hub mintee set Water 4")
        try await run("hub contacts new Ada birthday=1985-12-10")
        try configureTasks(try await add("desk"))
        let daemon = try await Daemon(in: sandbox)
        try await run("yes | \(DeviceServer.peers)/vdirsyncer -c \(sandbox.folder)/vdirsyncer.conf discover tasks")
        try await sync()
        #expect(try await run("ls tasks/days | wc -l").contains("15"))
        #expect(try await run("cat tasks/birthdays/*.ics").contains("SUMMARY:Birthday: Ada (1985)"))
        // A program that keeps no lines of hub ticks the day, and makes a to-do.
        try await run(
            "f=$(grep -l X-MINTEE-COMPLETION:4 tasks/days/*); "
                + "grep -v X-MINTEE \"$f\" | sed 's/STATUS:.*/STATUS:COMPLETED\\r/; /^PERCENT/d' > new.ics; mv new.ics \"$f\""
        )
        try sandbox.write(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:m1\r\nSUMMARY:Buy milk\r\nX-A:1\r\n"
                + "END:VTODO\r\nEND:VCALENDAR\r\n", to: "tasks/days/m1.ics")
        try await sync()
        let today = try await run("hub mintee today")
        #expect(today.contains("1 of 1") && today.contains("To do, no date: Buy milk"), "\(today)")
        try await sync()
        #expect(try await run("cat tasks/days/*.ics").contains("X-MINTEE-COMPLETION:6"))
        // A change here, and one removed there.
        try await run("hub mintee set Water 3; rm tasks/days/m1.ics")
        try await sync()
        #expect(try await run("cat tasks/days/*.ics").contains("X-MINTEE-COMPLETION:3"))
        #expect(try await !run("hub mintee today").contains("Buy milk"))
        // Without a change there is nothing to fetch.
        let before = try await requests(after: 0).count
        try await sync()
        let quiet = try await requests(after: before)
        #expect(quiet.allSatisfy { $0.hasPrefix("PROPFIND") } && quiet.count <= 6, "\(quiet)")
        #expect(await daemon.end() == 0)
    }

    /// The judge of WebDAV: basic, copymove, props, locks and http, all of it.
    @Test func `litmus finds no fault with files`() async throws {
        let password = try await add("judge --only files")
        let daemon = try await Daemon(in: sandbox)
        let report = try await run("mkdir litmus && cd litmus && litmus -k http://\(address)/files/ judge \(password)")
        #expect(!report.contains("FAIL") && !report.contains("WARNING"), "\(report)")
        #expect(report.split(separator: "\n").count { $0.contains("100.0%") } == 5, "\(report)")
        #expect(await daemon.end() == 0)
    }

    /// The judge of calendar servers, on hub and on two others beside it: what hub lacks one of them lacks too, and each lacks more.
    @Test func `caldav-server-tester finds less missing than in Radicale and xandikos`() async throws {
        let password = try await add("judge --only tasks")
        let daemon = try await Daemon(in: sandbox)
        let (radicale, xandikos) = (try await RadicaleServer.start(), try await XandikosServer.start())
        let hub = try await features("http://\(address)/", "judge", password)
        let first = try await features("http://127.0.0.1:\(radicale.port)/", "ann", RadicaleServer.password)
        let second = try await features("http://127.0.0.1:\(xandikos.port)/", "user", "none")
        #expect(hub.count > 95 && first.count > 95 && second.count > 95)
        let faults: Set<String> = ["unsupported", "ungraceful", "broken", "fragile", "quirk"]
        func count(_ features: [String: String]) -> Int { features.values.count { faults.contains($0) } }
        let summary = "hub \(count(hub)), Radicale \(count(first)), xandikos \(count(second))"
        #expect(count(hub) < count(first) && count(hub) < count(second), "\(summary)")
        for (name, support) in hub.sorted(by: { $0.key < $1.key }) where faults.contains(support) {
            #expect(first[name] != "full" || second[name] != "full", "\(name) is \(support); \(summary)")
        }
        #expect(hub.values.count { $0 == "full" } > first.values.count { $0 == "full" }, "\(summary)")
        #expect(await daemon.end() == 0)
        try await radicale.stop()
        try await xandikos.stop()
    }

    /// The features that the judge looks at, and what it found of each.
    private func features(_ url: String, _ user: String, _ password: String) async throws -> [String: String] {
        let report = try await run(
            "\(DeviceServer.root)/.build/judge/bin/caldav-server-tester --caldav-url \(url) --caldav-user \(user) "
                + "--caldav-password \(password) --verbose 2>judge.log || cat judge.log")
        var (features, name): ([String: String], String) = ([:], "")
        for line in report.split(separator: "\n") {
            if line.hasPrefix("## ") { name = String(line.dropFirst(3)) }
            if let found = line.firstMatch(of: /^Feature support level found: (.*)$/) {
                features[name] = String(found.1)
            }
        }
        return features
    }

    @Test func `a removed device, a wrong password and a web page get nothing`() async throws {
        try await run("hub contacts new Ada Lovelace email=ada@example.org")
        let password = try await add("desk --read-only")
        let daemon = try await Daemon(in: sandbox)
        let curl = "curl -s -o /dev/null -w '%{http_code}'"
        let book = "http://\(address)/contacts/all/"
        #expect(try await run("\(curl) -u desk:\(password) \(book)") == "200")
        #expect(try await run("curl -s -u desk:\(password) \(book)").contains("ada@example.org"))
        #expect(try await run("\(curl) -u desk:\(password) -T /dev/null \(book)a.vcf") == "403")
        #expect(try await run("\(curl) \(book)") == "401")
        #expect(try await run("\(curl) -u desk:wrong \(book)") == "401")
        #expect(try await run("\(curl) -u other:\(password) \(book)") == "401")
        #expect(try await run("\(curl) -u desk:\(password) -H 'Origin: http://evil.example' \(book)") == "403")
        #expect(try await run("\(curl) -u desk:\(password) -H 'Host: evil.example' \(book)") == "421")
        #expect(try await run("\(curl) -X PROPFIND http://\(address)/.well-known/carddav") == "301")
        try await run("hub devices rm desk --yes")
        #expect(try await run("\(curl) -u desk:\(password) \(book)") == "401")
        #expect(await daemon.end() == 0)
    }
}
