import Commands
import DBus
import DBusTestSupport
import HubKitTesting
import HubRuntime
import NetworkTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct KeyringTests {
    private let bus: TestBus

    init() throws { bus = try TestBus() }

    /// Patient by default: most of these tests do not depend on the speed of the machine.
    private func secrets(patience: Duration = .seconds(3600)) -> SystemSecrets {
        SystemSecrets(patience: patience) { [address = bus.address] () throws(DBusError) in address }
    }

    private func keyring(_ manners: String...) async throws -> TestProcess {
        try await bus.mock("secret_service.py", manners, offering: "org.freedesktop.secrets")
    }

    /// How many prompts the keyring was asked to show.
    private func prompts(_ connection: DBusConnection) async throws -> Int32? {
        let answer = try await connection.call(
            "org.freedesktop.secrets", path: "/org/freedesktop/secrets", interface: "org.example.Mock",
            member: "Prompts", timeout: .seconds(3600))
        guard case .int32(let count)? = answer.first else { return nil }
        return count
    }

    @Test func `an entry is saved, read, replaced, listed and removed`() async throws {
        let keyring = try await keyring()
        let secrets = secrets()
        try await secrets.save("første", as: .named("new"))
        #expect(try await secrets.read(.keyring(.named("new"))) == "første")
        try await secrets.save("second", as: .named("new"))
        #expect(try await secrets.read(.keyring(.named("new"))) == "second")
        #expect(try await secrets.names() == ["new", "posteo"])
        #expect(try await secrets.remove(.named("new")))
        #expect(try await !secrets.remove(.named("new")))
        #expect(try await secrets.names() == ["posteo"])
        withExtendedLifetime(keyring) {}
    }

    @Test func `an entry that another tool made for hub is found, one of another program is not`() async throws {
        let keyring = try await keyring()
        #expect(try await secrets().read(.keyring(.named("posteo"))) == "zażółć")
        withExtendedLifetime(keyring) {}
    }

    @Test func `an entry that is not there is told from a keyring that is not there`() async throws {
        let keyring = try await keyring()
        let error = try #require(await failure { try await secrets().read(.keyring(.named("nobody"))) })
        #expect(error.kind == .notFound)
        #expect(error.hint == "hub secrets set nobody")
        withExtendedLifetime(keyring) {}
    }

    @Test func `a locked keyring asks the person, and goes on`() async throws {
        let keyring = try await keyring("locked")
        #expect(try await secrets().read(.keyring(.named("posteo"))) == "zażółć")
        withExtendedLifetime(keyring) {}
    }

    @Test func `saving unlocks the keyring first`() async throws {
        let keyring = try await keyring("locked")
        try await secrets().save("x", as: .named("new"))
        #expect(try await secrets().read(.keyring(.named("new"))) == "x")
        withExtendedLifetime(keyring) {}
    }

    @Test func `a person who declines is believed`() async throws {
        let keyring = try await keyring("locked", "dismiss")
        let error = try #require(await failure { try await secrets().read(.keyring(.named("posteo"))) })
        #expect(error.kind == .denied)
        #expect(error.details == ["the keyring is still locked"])
        withExtendedLifetime(keyring) {}
    }

    @Test(arguments: [["silent"], ["locked", "ignore"]])
    func `a keyring that does not answer is given up in time, and the other ways are named`(
        manners: [String]
    ) async throws {
        let keyring = try await bus.mock("secret_service.py", manners, offering: "org.freedesktop.secrets")
        let error = try #require(
            await failure { try await secrets(patience: .milliseconds(500)).read(.keyring(.named("posteo"))) })
        #expect(error.kind == .unavailable)
        #expect(error.details == ["the call timed out"])
        let hint = try #require(error.hint)
        #expect(hint.contains("command") && hint.contains("file"))
        withExtendedLifetime(keyring) {}
    }

    @Test(arguments: ["ignore", "mute"]) func `a prompt that nobody answers is taken back`(manner: String) async throws
    {
        let keyring = try await keyring("locked", manner)
        let connection = try await bus.connect()
        let taken = try await connection.signals(
            matching: DBusMatchRule(sender: "org.freedesktop.secrets", member: "Completed"))
        // On a busy machine the time may be over before the keyring prompts: then it was too short for this test.
        var patience = Duration.milliseconds(500)
        repeat {
            let secrets = secrets(patience: patience)
            _ = await failure { try await secrets.read(.keyring(.named("posteo"))) }
            patience *= 2
        } while try await prompts(connection) == 0
        var iterator = taken.makeAsyncIterator()
        #expect(try await iterator.next()?.arguments.first == .boolean(true))
        withExtendedLifetime(keyring) {}
    }

    @Test func `a keyring without a place for new entries says so`() async throws {
        let keyring = try await keyring("empty")
        let error = try #require(await failure { try await secrets().save("x", as: .named("new")) })
        #expect(error.details == ["the keyring has no default collection"])
        withExtendedLifetime(keyring) {}
    }

    @Test func `without a keyring, or without a bus, the answer comes at once`() async throws {
        let missing = try #require(await failure { try await secrets().names() })
        #expect(missing.details == ["no keyring service is running"])
        let nowhere = SystemSecrets { () throws(DBusError) in try DBusAddress("unix:path=/tmp/hub-no-such-bus") }
        let error = try #require(await failure { try await nowhere.names() })
        #expect(error.kind == .unavailable)
    }

    private func failure(_ body: () async throws -> some Any) async -> HubError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? HubError
        }
    }
}
