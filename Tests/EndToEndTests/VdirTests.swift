import Glibc
import System
import Testing

/// A folder of cards that hub shares with khard and vdirsyncer.
@Suite(.timeLimit(.minutes(20)))
struct VdirTests {
    /// Programs of others, installed by the set-up script.
    private static let peers: String = {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        return root + "/.build/peers/bin"
    }()

    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        for folder in [".contacts/family", ".contacts/office", "remote"] {
            try Directory.make(sandbox.folder + "/" + folder)
        }
        try sandbox.write(
            """
            [addressbooks]
            [[family]]
            path = \(sandbox.folder)/.contacts/family/
            [[work]]
            path = \(sandbox.folder)/.contacts/office

            """, to: "khard.conf")
        try sandbox.write(
            """
            [general]
            status_path = "\(sandbox.folder)/status/"
            [pair contacts]
            a = "here"
            b = "there"
            collections = ["from a", "from b"]
            [storage here]
            type = "filesystem"
            path = "\(sandbox.folder)/.contacts/"
            fileext = ".vcf"
            [storage there]
            type = "filesystem"
            path = "\(sandbox.folder)/remote/"
            fileext = ".vcf"

            """, to: "vdirsyncer.conf")
    }

    @discardableResult
    private func run(_ line: String, code: Int32? = 0, location: SourceLocation = #_sourceLocation) async throws
        -> String
    {
        let finished = try await sandbox.shell(line)
        if let code { #expect(finished.code == code, "\(line): \(finished.all)", sourceLocation: location) }
        return finished.output
    }

    private func khard(_ words: String, input: String = "") async throws -> String {
        let path = try sandbox.write(input, to: "khard.in")
        return try await run("\(Self.peers)/khard -c khard.conf \(words) < \(path)")
    }

    private func vdirsyncer(_ words: String) async throws {
        try await run("yes | \(Self.peers)/vdirsyncer -c vdirsyncer.conf \(words)")
    }

    @Test func `a folder of khard answers mutt in three lines`() async throws {
        for name in ["Ada", "Bob"] {
            try sandbox.write(
                Cards.card(
                    "\(name) Lovelace", "UID:\(name)", "N:Lovelace;\(name);;;", "EMAIL;TYPE=HOME:\(name)@example.org"),
                to: ".contacts/family/\(name).vcf")
        }
        let added = try await run("hub contacts accounts add home ~/.contacts")
        #expect(added.contains("home is connected") && added.contains("  family\n  office\n"))
        #expect(try await run("hub contacts sync").contains("received 2 new"))
        #expect(
            try await run("hub contacts query --mutt lovelace").split(separator: "\n").dropFirst()
                == ["Ada@example.org\tAda Lovelace\thome", "Bob@example.org\tBob Lovelace\thome"])
    }

    @Test func `khard and hub see each other's changes, and no line is lost`() async throws {
        try await run("hub contacts accounts add home ~/.contacts")
        _ = try await khard(
            "new -a family", input: "First name: Ada\nLast name: Lovelace\nEmail:\n  home: ada@example.org\n")
        try await run("hub contacts sync")
        try await run("hub contacts set ada phone.mobile='+48 601 234 567'")
        try await run("hub contacts new Łukasz Nowak email.work=lukasz@nowak.pl --book home/family")
        #expect(try await run("hub contacts sync").contains("sent 1 new, 1 changed"))
        #expect(try await khard("email -p lukasz").contains("lukasz@nowak.pl\tŁukasz Nowak"))
        // A name that no UID can hold: khard searches the UIDs too, and asks which one is meant until it is answered.
        #expect(try await khard("phone -p lovelace").contains("+48 601 234 567"))
        try sandbox.write(
            """
            First name: Ada
            Last name: Lovelace
            Email:
              home: ada@example.org
              work: ada@engine.org
            Phone:
              cell: +48 601 234 567

            """, to: "edit.yaml")
        try await run("echo yes | \(Self.peers)/khard -c khard.conf edit -i edit.yaml -a family lovelace")
        try await run("hub contacts sync")
        #expect(try await run("hub contacts email ada").contains("ada@engine.org"))
        try await run("hub contacts rm lukasz --yes && hub contacts sync")
        #expect(try await khard("list -p").split(separator: "\n").count == 1)
    }

    @Test func `hub and vdirsyncer work on one folder at the same time`() async throws {
        try await run("hub contacts accounts add home ~/.contacts")
        for index in 0..<30 {
            try sandbox.write(
                Cards.card("Person \(index)", "UID:p\(index)", "N:Person;\(index);;;"),
                to: ".contacts/family/p\(index).vcf")
        }
        try await vdirsyncer("discover")
        try await vdirsyncer("sync")
        try await run("hub contacts sync")
        let sandbox = sandbox
        async let theirs: Void = {
            for round in 0..<6 {
                for index in 0..<10 {
                    try sandbox.write(
                        Cards.card(
                            "Person \(index)", "UID:p\(index)", "N:Person;\(index);;;", "NOTE:remote \(round)"),
                        to: "remote/family/p\(index).tmp")
                    let path = "\(sandbox.folder)/remote/family/p\(index)"
                    guard rename(path + ".tmp", path + ".vcf") == 0 else { throw SystemError("rename \(path)") }
                }
                try await vdirsyncer("sync")
            }
        }()
        async let ours: Void = {
            for round in 0..<6 {
                for index in 10..<20 {
                    try await sandbox.runInProcess("contacts", "set", "person \(index)", "note=here \(round)")
                }
                let synced = try await sandbox.run("contacts", "sync")
                #expect(synced.code == 0, "\(synced.all)")
            }
        }()
        _ = try await (theirs, ours)
        for _ in 0..<2 {
            try await vdirsyncer("sync")
            try await run("hub contacts sync")
        }
        #expect(try await run("hub contacts sync").contains("up to date"))
        for index in 0..<30 {
            let note = index < 10 ? "remote 5" : index < 20 ? "here 5" : nil
            for file in [".contacts/family", "remote/family"] {
                let text = sandbox.read("\(file)/p\(index).vcf")
                #expect(
                    text.map { text in note.map { text.contains("NOTE:\($0)") } ?? !text.contains("NOTE") } == true,
                    "\(file) \(index)")
            }
        }
        let left = try await run("ls -A .contacts/family | grep -v '[.]vcf$'", code: nil)
        #expect(left.isEmpty, "\(left)")
    }

    @Test func `the daemon sends what was changed, by itself`() async throws {
        try sandbox.write(Cards.ada, to: ".contacts/family/ada.vcf")
        try await run("hub contacts accounts add home ~/.contacts")
        let daemon = try await Daemon(in: sandbox)
        try await eventually("the first sync") {
            try await sandbox.runInProcess("contacts", "list", "--plain=name").output == "Ada Lovelace\n"
        }
        try await run("hub contacts set ada note=remembered")
        try await eventually("the change in the folder") {
            sandbox.read(".contacts/family/ada.vcf")?.contains("NOTE:remembered") == true
        }
        try await eventually("the account at rest") {
            let status = try await sandbox.runInProcess("status", "contacts", "--plain=part,state").output
            return status.contains("contacts/home\tsynced") && status.contains("contacts/sync\trunning")
        }
        #expect(await daemon.end() == 0)
    }

    @Test func `the daemon receives what changes in the folder, long before the account is due`() async throws {
        try sandbox.write(Cards.ada, to: ".contacts/family/ada.vcf")
        try await run("hub contacts accounts add home ~/.contacts --every 7d")
        let daemon = try await Daemon(in: sandbox)
        func names(_ expected: String) async throws {
            try await eventually(expected) {
                try await sandbox.runInProcess("contacts", "list", "--plain=name").output == expected
            }
        }
        try await names("Ada Lovelace\n")
        // By renaming, in place, and in a folder that was not there.
        try sandbox.write(Cards.card("Bob Noyce", "UID:bob", "N:Noyce;Bob;;;"), to: ".contacts/office/bob.vcf")
        try await names("Ada Lovelace\nBob Noyce\n")
        try await run("sed -i 's/Noyce/Kahn/g' .contacts/office/bob.vcf")
        try await names("Bob Kahn\nAda Lovelace\n")
        try Directory.make(sandbox.folder + "/.contacts/friends")
        try sandbox.write(Cards.card("Zoe", "UID:zoe", "N:;Zoe;;;"), to: ".contacts/friends/zoe.vcf")
        try await names("Bob Kahn\nAda Lovelace\nZoe\n")
        try await run("rm -r .contacts/friends/zoe.vcf .contacts/office/bob.vcf")
        let status = try await sandbox.run("status", "contacts", "--plain=part,state").output
        #expect(status.contains("contacts/sync\trunning"), "\(status)")
        #expect(sandbox.read("serve.log")?.contains("cannot watch") == false)
        #expect(await daemon.end() == 0)
    }
}
