import Glibc
import HubKit
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// The folder for sockets where no `XDG_RUNTIME_DIR` is set: it lies where everybody may make one.
struct RuntimeFolderTests {
    private let shared: TemporaryFolder
    private var folder: String { shared.path + "/hub-\(geteuid())" }

    init() throws { shared = try TemporaryFolder() }

    private func runtime() -> String? {
        let environment = ProcessEnvironment(arguments: [], variables: [:], home: "/home/ada")
        return Directories(environment: environment, makesRuntime: true, fallback: shared.path).runtime
    }

    @Test func `it is made for its owner alone, and reclaimed`() throws {
        let first = try #require(runtime())
        #expect(first.hasPrefix(folder + "/"))
        var status = stat()
        #expect(lstat(folder, &status) == 0 && status.st_mode & 0o7777 == 0o700)
        #expect(runtime() == first)
    }

    @Test func `one that others may enter, or that leads elsewhere, is not trusted`() throws {
        mkdir(folder, 0o700)
        chmod(folder, 0o755)
        #expect(runtime() == nil)
        rmdir(folder)
        mkdir(shared.path + "/victim", 0o700)
        symlink(shared.path + "/victim", folder)
        #expect(runtime() == nil)
    }

    @Test func `one of another user is not trusted`() throws {
        mkdir(folder, 0o700)
        // Only root can change a folder's owner; for other users the system's own folders are foreign ones.
        if chown(folder, 65534, 65534) == 0 { #expect(runtime() == nil) }
        _ = chown(folder, geteuid(), getegid())
    }

    @Test func `a file that is no socket of ours stays where sockets of the dead are removed`() throws {
        let path = shared.path + "/events"
        let bus = EventBus(directory: path)
        try bus.listen()
        try shared.write("precious", to: "events/victim.sock")
        symlink(shared.path + "/events/victim.sock", path + "/link.sock")
        bus.announce(.everything)
        #expect(shared.read("events/victim.sock") == "precious")
        #expect(access(path + "/link.sock", F_OK) == 0)
        bus.close()
    }

    @Test func `a link in the place of the folder of sockets is not followed`() throws {
        mkdir(shared.path + "/victim", 0o700)
        symlink(shared.path + "/victim", shared.path + "/events")
        #expect(throws: SystemError.self) { try EventBus(directory: shared.path + "/events").listen() }
    }
}
