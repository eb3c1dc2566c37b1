import Glibc
import Testing

/// Real programs of others with what hub serves: first use, edits on both sides, removals, a conflict, a server that is away and a wrong
/// password.
@Suite(.timeLimit(.minutes(20)))
struct DeviceProgramsTests {
    private let server: DeviceServer
    private var sandbox: Sandbox { server.sandbox }
    private var port: Substring { server.address.split(separator: ":")[1] }

    init() throws { server = try DeviceServer() }

    @discardableResult
    private func run(_ line: String, code: Int32? = 0, location: SourceLocation = #_sourceLocation) async throws
        -> String
    {
        try await server.run(line, code: code, location: location)
    }

    @Test func `khard edits what vdirsyncer fetches, and a conflict keeps both edits`() async throws {
        try await run("hub contacts new Ada Lovelace email=ada@example.org title=Lady; hub contacts new Bob Stone")
        let password = try await server.add("desk --only contacts")
        let tools = DeviceServer.peers
        func configure(_ password: String) throws {
            try sandbox.write(
                """
                [general]
                status_path = "\(sandbox.folder)/status/"
                [pair p]
                a = "here"
                b = "there"
                collections = ["from b"]
                conflict_resolution = ["command", "sh", "\(sandbox.folder)/merge.sh"]
                [storage here]
                type = "filesystem"
                path = "\(sandbox.folder)/cards/"
                fileext = ".vcf"
                [storage there]
                type = "carddav"
                url = "http://\(server.address)/"
                username = "desk"
                password = "\(password)"

                """, to: "v.conf")
        }
        // What a person does who is asked: takes the title of one side, and the rest of the other.
        try sandbox.write("sed -i 's/^TITLE:Lady/TITLE:Countess/' \"$2\" && cp \"$2\" \"$1\"", to: "merge.sh")
        try sandbox.write("[addressbooks]\n[[all]]\npath = \(sandbox.folder)/cards/all\n", to: "khard.conf")
        let sync = "\(tools)/vdirsyncer -c v.conf sync"
        let khard = "\(tools)/khard -c khard.conf"
        var daemon = try await Daemon(in: sandbox)
        try configure(password)
        try await run("yes | \(tools)/vdirsyncer -c v.conf discover p; \(sync)")
        #expect(try await run("\(khard) email --parsable ada").contains("ada@example.org"))
        // One is made by khard, one changed on both sides in different places, one removed there.
        try sandbox.write("First name: Cleo\nLast name: New\nNote: by khard\n", to: "cleo.yaml")
        try await run("\(khard) new -i cleo.yaml -a all; \(khard) remove --force Bob")
        try await run(
            "sed -i 's/^TITLE:Lady/TITLE:Countess/' \"$(grep -l ada@ cards/all/*)\"; hub contacts set Ada note=here")
        // Without a server nothing is lost.
        #expect(await daemon.end() == 0)
        try await run(sync, code: 1)
        daemon = try await Daemon(in: sandbox)
        try await run(sync)
        let ada = try await run("hub contacts show Ada")
        #expect(ada.contains("here") && ada.contains("Countess"), "\(ada)")
        #expect(try await run("cat cards/all/*").contains("NOTE:here"))
        let all = try await run("hub contacts list")
        #expect(all.contains("Cleo New") && !all.contains("Bob"), "\(all)")
        // It tries a wrong password so often that its address has to wait.
        try configure("wrong")
        try await run("yes | \(tools)/vdirsyncer -c v.conf discover p", code: 1)
        #expect(await daemon.end() == 0)
    }

    @Test func `Evolution's server reads, changes, adds and removes contacts`() async throws {
        try await run("hub contacts new Ada Lovelace email=ada@example.org title=Lady; hub contacts new Bob Stone")
        let password = try await server.add("desk --only contacts")
        var daemon = try await Daemon(in: sandbox)
        let script = "\(DeviceServer.root)/Tests/EndToEndTests/Devices/evolution_book.py"
        func evolution(_ password: String, _ home: String, _ steps: String...) -> String {
            let words = steps.map { "'\($0)'" }.joined(separator: " ")
            return
                "mkdir -p \(home); env -u XDG_DATA_HOME -u XDG_CONFIG_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME HUB_HOME=$HOME "
                + "HOME=$PWD/\(home) dbus-run-session /usr/bin/python3 \(script) \(port) desk \(password) /contacts/all/ \(words)"
        }
        // The commands of hub run in the sandbox, not in the home of Evolution.
        let hub =
            "env \(sandbox.environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")) hub"
        try await run(
            evolution(
                password, "one", "writable", "has:FN:Ada", "has:FN:Bob",
                // Changed here, then there in another place, before it has asked again.
                "sh:\(hub) contacts set Ada note=here", "set:Ada|TITLE:Lady|TITLE:Countess", "has:NOTE:here",
                "add:BEGIN:VCARD~VERSION:3.0~FN:Dora~N:;Dora;;;~X-A:1~END:VCARD", "remove:Bob", "lacks:Bob",
                // Changed, made and removed here.
                "sh:\(hub) contacts set Dora org=Works", "sh:\(hub) contacts new Edith", "refresh", "has:Works",
                "has:Edith",
                "sh:\(hub) contacts rm Edith --yes", "refresh", "lacks:Edith"))
        let ada = try await run("hub contacts show Ada")
        #expect(ada.contains("Countess") && ada.contains("here"), "\(ada)")
        let all = try await run("hub contacts list")
        #expect(all.contains("Dora") && !all.contains("Bob"), "\(all)")
        #expect(try await run("hub history").contains("desk (Evolution): change contacts"))
        try await run(evolution("wrong-word", "two", "refused"))
        // What is changed without a server is sent when there is one.
        #expect(await daemon.end() == 0)
        let log = try await run(evolution(password, "one", "has:FN:Ada"), code: nil)
        #expect(!log.contains("Traceback") || log.contains("never"), "\(log)")
        daemon = try await Daemon(in: sandbox)
        try await run(evolution(password, "one", "writable", "has:FN:Dora"))
        #expect(await daemon.end() == 0)
    }

    @Test func `SyncEvolution syncs contacts both ways`() async throws {
        try await run("hub contacts new Ada Lovelace email=ada@example.org; hub contacts new Bob Stone")
        let password = try await server.add("desk --only contacts")
        var daemon = try await Daemon(in: sandbox)
        let tool = "dbus-run-session syncevolution --daemon=no --keyring=no"
        let url = "http://\(server.address)/"
        let print = "\(tool) --print-databases backend=carddav username=desk syncURL=\(url) password="
        #expect(try await run(print + password).contains("Contacts (\(url)contacts/all/) <default>"))
        #expect(try await !run(print + "wrong", code: nil).contains("contacts/all"))
        try await run(
            "\(tool) --configure username=desk password=\(password) syncURL=\(url) retryDuration=0 retryInterval=0 backend=carddav "
                + "database=\(url)contacts/all/ target-config@peer contacts")
        try await run(
            "mkdir cards; \(tool) --configure --template SyncEvolution_Client syncURL=local://@peer username= password= "
                + "sync=two-way backend=file database=file://$PWD/cards databaseFormat=text/vcard local@default contacts"
        )
        try await run("\(tool) --sync slow local contacts")
        #expect(try await run("cat cards/*").contains("ada@example.org"))
        // Both sides change, add and remove.
        try await run(
            "sed -i 's/^END:VCARD/NOTE:there\\r\\nEND:VCARD/' \"$(grep -l 'FN:Ada' cards/*)\"; rm \"$(grep -l 'FN:Bob' cards/*)\"; "
                + "hub contacts new Cleo; hub contacts set Ada tel=+49301")
        #expect(await daemon.end() == 0)
        try await run("\(tool) local contacts", code: 1)
        daemon = try await Daemon(in: sandbox)
        try await run("\(tool) local contacts", code: nil)
        let all = try await run("hub contacts list; hub contacts show Ada")
        #expect(
            all.contains("there") && all.contains("+49301") && all.contains("Cleo") && !all.contains("Bob"), "\(all)")
        #expect(try await run("cat cards/*").contains("FN:Cleo"))
        #expect(await daemon.end() == 0)
    }

    @Test func `rclone and GNOME's file system use notes and files`() async throws {
        let password = try await server.add("laptop --only notes --only files")
        var daemon = try await Daemon(in: sandbox)
        let base = "http://\(server.address)"
        let obscured = try await run("rclone obscure \(password)").split(separator: "\n")[0]
        func remote(_ top: String, _ password: some StringProtocol) -> String {
            "\":webdav,url='\(base)/\(top)/',vendor=other,user=laptop,pass=\(password):\""
        }
        let wrong = try await run("rclone obscure wrong").split(separator: "\n")[0]
        #expect(try await run("rclone lsf \(remote("files", wrong))", code: nil).contains("401"))
        // A note and its picture at once, in any order.
        try await run(
            "mkdir -p src/Trips; printf '# Plan\\n\\n![map](map.png)\\n' >src/Trips/Plan.md; printf 'map' >src/Trips/map.png"
        )
        try await run("rclone copy src \(remote("notes", obscured))")
        #expect(try await run("hub notes list").contains("Plan"))
        // A second run finds nothing to do; a change on each side goes its way.
        #expect(
            try await run("rclone copy src \(remote("notes", obscured)) -v").contains("Transferred:            0 / 0")
                == false)
        try await run("hub notes append Plan more")
        try await run("rclone copy \(remote("notes", obscured)) back")
        #expect(try await run("cat back/Trips/Plan.md back/Trips/map.png").contains("map"))
        try await run("rclone delete \(remote("notes", obscured)) --include '*.md'")
        #expect(try await run("hub trash list").contains("Plan"))
        // A server that is away.
        #expect(await daemon.end() == 0)
        try await run("rclone lsf \(remote("files", obscured)) --retries 1 --low-level-retries 1", code: nil)
        daemon = try await Daemon(in: sandbox)
        try sandbox.write(
            """
            set -e
            place=dav://laptop@\(server.address)/files/
            printf '%s\\n' "$1" | gio mount $place >/dev/null
            echo hello >hello.txt
            gio copy hello.txt ${place}hello.txt
            gio mkdir ${place}folder
            gio move ${place}hello.txt ${place}folder/there.txt
            gio list ${place}folder
            gio cat ${place}folder/there.txt
            echo changed | gio save ${place}folder/there.txt
            gio cat ${place}folder/there.txt
            gio remove ${place}folder/there.txt ${place}folder
            gio list $place
            echo end

            """, to: "gio.sh")
        let said = try await run("dbus-run-session bash gio.sh \(password)")
        #expect(said.contains("there.txt\nhello\nchanged\nend"), "\(said)")
        #expect(try await !run("dbus-run-session bash gio.sh wrong </dev/null", code: nil).contains("end"))
        #expect(await daemon.end() == 0)
    }
}
