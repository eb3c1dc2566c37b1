import Glibc
import HubKit
import Testing

/// The behaviour of hub on a full disk, or without write access.
@Suite(.timeLimit(.minutes(5)))
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
        try await expect("hub contacts new Bob", 75, sandbox, after: full, says: "no room left")
        try await expect("hub undo", 75, sandbox, after: full, says: "no room left")
        try await expect("hub contacts new Bob", 0, sandbox)
        try await expect("hub contacts list --plain=name | wc -l", 0, sandbox, says: "2")
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
        try await expect("hub contacts new Bob", 77, sandbox, after: user, says: "can only be read")
        try await expect("hub serve", 77, sandbox, after: user, says: "can only be read")
        try await expect("hub doctor", 1, sandbox, after: user, says: "is not writable")
        try await expect(
            "chmod 700 data/hub; chmod 644 data/hub/hub.db; hub doctor", 0, sandbox, after: user,
            says: "open to other users")
        try await expect("hub doctor --fix && stat -c %a data/hub/hub.db", 0, sandbox, after: user, says: "600")
        try await expect(
            "chmod 500 data; rm -rf data/hub/*; hub --data data/new contacts list", 77, sandbox, after: user)
        try await expect("chmod 700 data", 0, sandbox)
    }

    @Test func `a file for a result that cannot be is named with the reason`() async throws {
        let sandbox = try Sandbox()
        try await expect("hub contacts new Ada", 0, sandbox)
        try await expect("hub contacts list -o none/list.txt", 65, sandbox, says: "No such file")
        try await expect("hub contacts list -o data", 65, sandbox, says: "directory")
        try await expect("cd data/hub && hub contacts export -o hub.db", 64, sandbox, says: "store of hub")
        try await expect("cd data/hub && hub backup hub.db", 64, sandbox, says: "store of hub")
    }
}
