import Glibc
import Testing

/// The behaviour of hub on a full disk, or without write access.
@Suite(.timeLimit(.minutes(20)))
struct StorageTests {
    /// A line of bash that must end with a code.
    private func expect(
        _ line: String, _ code: Int32, _ sandbox: Sandbox, after setUp: String = "", says words: String = ""
    ) async throws {
        let finished = try await sandbox.shell("\(setUp) \(line)")
        #expect(finished.code == code && finished.all.contains(words), "\(line): \(finished.code) \(finished.all)")
        #expect(!finished.all.contains("PRAGMA") && !finished.all.contains("SQLite 4"), "\(line): \(finished.all)")
    }

    @Test func `with no room for a single page everything can be read, and changes end with 75`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada Lovelace", 0, sandbox)
        // No file may grow beyond 16 KiB, and the shared-memory file of the store needs 32.
        let full = "trap '' XFSZ; ulimit -f 16;"
        for line in [
            "hub contacts list", "hub contacts search ada", "hub contacts export -o all.vcf && cat all.vcf",
            "hub history",
        ] { try await expect(line, 0, sandbox, after: full, says: "Ada") }
        try await expect("hub doctor", 0, sandbox, after: full)
        try await expect("hub contacts new Bob", 75, sandbox, after: full, says: "the disk of the store is full")
        try await expect("hub undo", 75, sandbox, after: full, says: "the disk of the store is full")
        try await expect("hub contacts new Bob", 0, sandbox)
        try await expect("hub contacts list --plain=name | wc -l", 0, sandbox, says: "2")
    }

    @Test func `the service says that it cannot start without room, so that it is tried again`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada Lovelace", 0, sandbox)
        let says = "hub serve cannot start: the disk of the store is full"
        try await expect("hub serve", 75, sandbox, after: "trap '' XFSZ; ulimit -f 16;", says: says)
        let library = Sandbox.hub.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/libFaultInjection.so"
        // With no room for an empty file either, the log and the lock are what is missing.
        let served = try await sandbox.run(
            ["serve"],
            extra: [
                "LD_PRELOAD": library, "HUB_FAULTS_ROOT": sandbox.folder, "HUB_FAULTS_MODE": "full",
                "HUB_FAULTS_AT": "1",
            ])
        #expect(served.code == 75 && served.all.contains(says), "\(served.code) \(served.all)")
        try await expect("rm -r data/hub/locks && hub contacts list && test -e data/hub/locks", 0, sandbox)
    }

    @Test func `a process that keeps others from writing is named by the status`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada Lovelace", 0, sandbox)
        let holding = """
            import sqlite3, subprocess, sys
            store = sqlite3.connect("data/hub/hub.db", isolation_level=None)
            store.execute("BEGIN IMMEDIATE")
            sys.stdout.write(subprocess.run(["hub", "status"], capture_output=True, text=True).stdout)
            """
        try sandbox.write(holding, to: "hold.py")
        let finished = try await sandbox.shell("python3 hold.py")
        let line = finished.output.split(separator: "\n").first { $0.contains("has the write lock") }
        #expect(line?.contains("python3: process") == true, "\(finished.all)")
        try await expect("hub status | grep -c 'write lock' || true", 0, sandbox, says: "0")
    }

    /// Ways to damage the file of a store; each gets the size of the file.
    private static let damages = [
        "middle": "dd if=/dev/urandom of=data/hub/hub.db bs=4096 seek=4 count=$((SIZE / 8192)) conv=notrunc",
        "truncated": "truncate -s $((SIZE / 2)) data/hub/hub.db",
        "header": "dd if=/dev/urandom of=data/hub/hub.db bs=100 count=1 conv=notrunc",
        "other": "head -c 50000 /dev/urandom > data/hub/hub.db", "emptied": "truncate -s 0 data/hub/hub.db",
        "emptied beside its log":
            "truncate -s 0 data/hub/hub.db; umask 77; head -c 9000 /dev/zero > data/hub/hub.db-wal",
    ]

    @Test(arguments: damages.keys.sorted())
    func `what helps a damaged store is said, and helps`(damage: String) async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada Lovelace && hub contacts new Bob && hub backup good.db", 0, sandbox)
        let line = try #require(Self.damages[damage])
        try await expect("SIZE=$(stat -c %s data/hub/hub.db); { \(line); } 2>/dev/null", 0, sandbox)
        let list = try await sandbox.run("contacts", "list")
        if list.code != 0 {
            #expect(list.code == 70 && list.errors.contains("the store is damaged"), "\(list.all)")
            #expect(list.errors.contains("hint: hub doctor lists") && list.errors.contains("hub restore FILE"))
        }
        let doctor = try await sandbox.run("doctor")
        #expect(doctor.code == 1, "\(doctor.all)")
        #expect(doctor.errors.contains("hint: hub restore FILE with your newest backup"), "\(doctor.errors)")
        #expect(!doctor.errors.contains("hub doctor"), "it does not send people to itself: \(doctor.errors)")
        try await expect("hub backup bad.db", 70, sandbox)
        try await expect("test ! -e bad.db", 0, sandbox)
        try await expect("hub restore good.db --yes && hub doctor", 0, sandbox)
        try await expect("hub contacts list --plain=name | sort | paste -sd,", 0, sandbox, says: "Ada Lovelace,Bob")
        // The damaged store is kept, and offered to nobody as a copy that helps.
        try await expect("ls data/hub/backups/replaced-*.db", 0, sandbox)
        try await expect("SIZE=$(stat -c %s data/hub/hub.db); { \(line); } 2>/dev/null", 0, sandbox)
        let again = try await sandbox.run("doctor")
        #expect(again.code == 1 && !again.errors.contains("replaced-"), "\(again.errors)")
    }

    @Test func `a store without content is taken for no new one, and its log is kept`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada Lovelace && hub backup good.db", 0, sandbox)
        for setUp in [
            "truncate -s 0 data/hub/hub.db", "head -c 9000 /dev/zero > data/hub/hub.db-wal", "rm data/hub/hub.db",
        ] {
            try await expect(setUp, 0, sandbox)
            for line in [
                "hub contacts list", "hub contacts new Bob", "hub contacts export", "hub today", "hub history",
                "hub undo", "hub trash", "hub mintee", "hub serve", "hub backup bad.db",
            ] { try await expect(line, 70, sandbox, says: "hub restore FILE") }
            try await expect("hub doctor", 1, sandbox, says: "hub restore FILE with your newest backup")
            try await expect("test ! -s data/hub/hub.db -a ! -e bad.db", 0, sandbox)
        }
        try await expect("stat -c %s data/hub/hub.db-wal", 0, sandbox, says: "9000")
        try await expect("hub restore good.db --yes && hub contacts list", 0, sandbox, says: "Ada Lovelace")
        try await expect("stat -c %s data/hub/backups/*.db-wal", 0, sandbox, says: "9000")
        // Both are removed by someone who wants to begin again.
        try await expect("rm data/hub/hub.db*; hub contacts list", 0, sandbox, says: "No contacts")
    }

    @Test func `a store whose log is gone opens as it was before, and a restore brings the rest back`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada Lovelace", 0, sandbox)
        let late = """
            import os, sqlite3, subprocess
            reader = sqlite3.connect("data/hub/hub.db")
            reader.execute("SELECT count(*) FROM contacts_contact").fetchall()
            subprocess.run(["hub", "contacts", "new", "Bob"], check=True)
            subprocess.run(["hub", "backup", "good.db"], check=True)
            os.kill(os.getpid(), 9)
            """
        try sandbox.write(late, to: "late.py")
        try await expect("python3 late.py; cd data/hub; test -s hub.db-wal && rm hub.db-wal hub.db-shm", 0, sandbox)
        try await expect("hub contacts list --plain=name", 0, sandbox, says: "Ada")
        try await expect("hub doctor", 0, sandbox)
        try await expect("hub restore good.db --yes && hub contacts list --plain=name", 0, sandbox, says: "Bob")
    }

    @Test func `a folder that cannot be written is read, and changes end with 77`() async throws {
        let sandbox = try Sandbox()
        var user = ""
        if getuid() == 0 {
            // Permissions do not apply to root, so another user must try.
            mkdir(sandbox.folder + "/program", 0o755)
            try await expect("cp $(readlink -f bin/hub) program/hub && chown -R 65534:65534 .", 0, sandbox)
            user = "PATH=$PWD/program:$PATH; hub() { setpriv --reuid 65534 --regid 65534 --clear-groups hub \"$@\"; };"
        }
        try await expect("hub contacts new Ada Lovelace", 0, sandbox, after: user)
        try await expect("chmod 500 data/hub", 0, sandbox)
        for line in [
            "hub contacts list", "hub contacts search ada", "hub contacts export -o all.vcf && cat all.vcf",
            "hub history",
        ] { try await expect(line, 0, sandbox, after: user, says: "Ada") }
        try await expect("hub backup copy.db", 0, sandbox, after: user)
        try await expect("hub contacts new Bob", 77, sandbox, after: user, says: "the store is read-only")
        try await expect("hub serve", 77, sandbox, after: user, says: "the store is read-only")
        try await expect("hub doctor", 1, sandbox, after: user, says: "is not writable")
        try await expect(
            "chmod 700 data/hub; chmod 644 data/hub/hub.db; hub doctor", 0, sandbox, after: user,
            says: "accessible to other users")
        try await expect("hub doctor --fix && stat -c %a data/hub/hub.db", 0, sandbox, after: user, says: "600")
        try await expect(
            "chmod 500 data; rm -rf data/hub/*; hub --data data/new contacts list", 77, sandbox, after: user)
        try await expect("chmod 700 data", 0, sandbox)
    }

    @Test func `a file for a result that cannot be is named with the reason`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada", 0, sandbox)
        try await expect("hub contacts list -o none/list.txt", 74, sandbox, says: "No such file")
        try await expect("hub contacts list -o data", 74, sandbox, says: "directory")
        let own = "is part of hub's own store"
        try await expect("cd data/hub && hub contacts export -o hub.db", 64, sandbox, says: own)
        try await expect("cd data/hub && hub backup hub.db", 64, sandbox, says: own)
    }
}
