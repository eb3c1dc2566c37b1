import Commands
import DBus
import Glibc
import HubRuntime
import Testing

@Suite(.timeLimit(.minutes(20)))
struct SecretSourceTests {
    private let secrets = SystemSecrets { () throws(DBusError) in throw .noBus("there is none in this test") }

    private func failure(_ source: SecretSource) async -> HubError? {
        do throws(HubError) {
            _ = try await secrets.read(source)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a text is itself`() async throws {
        #expect(try await secrets.read(.text("s3cret")) == "s3cret")
    }

    @Test(arguments: [("printf 'a b\\nmore'", "a b"), ("printf 'x\\r\\n'", "x"), ("echo zażółć", "zażółć")])
    func `a command's first line counts`(command: String, secret: String) async throws {
        #expect(try await secrets.read(.command(command)) == secret)
    }

    @Test(arguments: ["exit 1", "true", "printf '\\377'", "yes | head -c 100000", "hub-no-such-command"])
    func `a command that gives no text fails and is named`(command: String) async {
        let error = await failure(.command(command))
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains(command) == true)
    }

    @Test func `what a failing command says is shown, without its control characters`() async {
        let error = await failure(.command("printf 'no \\033[1mkey\\n' >&2; exit 2"))
        #expect(error?.details == ["no \\e[1mkey"])
    }

    @Test(arguments: [(0o600, nil), (0o400, nil), (0o640, .denied), (0o604, .denied)] as [(mode_t, HubError.Class?)])
    func `a file is read only when it is closed to others`(mode: mode_t, kind: HubError.Class?) async throws {
        let file = try TemporaryFile("top secret\nrest\n", mode: mode)
        if let kind {
            let error = await failure(.file(file.path))
            #expect(error?.kind == kind)
            #expect(error?.hint == "chmod 600 \(file.path)")
        } else {
            #expect(try await secrets.read(.file(file.path)) == "top secret")
        }
    }

    @Test func `a file that is missing, empty, no file or too long is refused`() async throws {
        #expect(await failure(.file("/tmp/hub-there-is-none"))?.kind == .unavailable)
        #expect(await failure(.file("/dev/zero"))?.kind == .denied)
        #expect(await failure(.file(try TemporaryFile("\nx", mode: 0o600).path)) != nil)
        let long = try TemporaryFile(String(repeating: "x", count: 100_000), mode: 0o600)
        #expect(await failure(.file(long.path))?.kind == .unavailable)
    }
}

/// A file that goes with the value.
private final class TemporaryFile {
    let path: String

    init(_ text: String, mode: mode_t) throws {
        path = "/tmp/hub-secret-\(Identifier.make())"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        _ = write(descriptor, text, text.utf8.count)
        fchmod(descriptor, mode)
        close(descriptor)
    }

    deinit { unlink(path) }
}
