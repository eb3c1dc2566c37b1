import Commands
import Contacts
import Glibc
import HubRuntimeTesting
import Synchronization
import Testing

@testable import HubRuntime

@Suite(.timeLimit(.minutes(20)))
@MainActor struct ServiceInstallerTests {
    private let home = ConfigHome()
    private let calls = Calls()

    private func installer(_ result: Result<Subprocess.Finished, SubprocessError>) -> ServiceInstaller {
        ServiceInstaller(configHome: home.path) { [calls] arguments async throws(SubprocessError) in
            calls.add(arguments)
            return try result.get()
        }
    }

    private nonisolated static func finished(_ code: Int32, _ complaint: String = "") -> Subprocess.Finished {
        Subprocess.Finished(status: .exited(code), output: [], errorOutput: Array(complaint.utf8))
    }

    private let unit = ServiceUnit(program: "/usr/local/bin/hub")

    @Test func `the unit of a package is the one that is installed for a person`() async throws {
        let run = try await TestHub(ContactsPlugin.self).run("__unit /usr/bin/hub")
        #expect(run.output == ServiceUnit(program: "/usr/bin/hub").text)
        #expect(run.output.contains("ExecStart=/usr/bin/hub serve\n"))
    }

    @Test func `installing writes the unit, reloads and enables`() async throws {
        let report = try await installer(.success(Self.finished(0))).install(unit)
        #expect(report.isActive && report.problem == nil)
        #expect(report.path == home.path + "/systemd/user/hub.service")
        #expect(try BoundedFile.read(report.path, limit: 1 << 16) == Array(unit.text.utf8))
        #expect(calls.all == ["--user daemon-reload", "--user enable --now hub.service"])
    }

    @Test(
        arguments: [
            (
                .success(finished(1, "Failed to connect to bus: No medium found\nmore")),
                "Failed to connect to bus: No medium found"
            ),
            (
                .failure(.notStarted(SystemError("start systemctl", code: ENOENT))),
                "systemctl cannot be run: start systemctl: No such file or directory"
            ),
        ] as [(Result<Subprocess.Finished, SubprocessError>, String)])
    func `without a manager the unit is there all the same, and why it does not run is said`(
        result: Result<Subprocess.Finished, SubprocessError>, problem: String
    ) async throws {
        let report = try await installer(result).install(unit)
        #expect(!report.isActive)
        #expect(report.problem == problem)
        #expect(access(report.path, F_OK) == 0)
    }

    @Test func `uninstalling stops and removes the unit, and nothing when there is none`() async throws {
        let installer = installer(.success(Self.finished(0)))
        #expect(try await installer.uninstall() == nil)
        let path = try await installer.install(unit).path
        #expect(try await installer.uninstall()?.path == path)
        #expect(access(path, F_OK) != 0)
        #expect(calls.all.suffix(2) == ["--user disable --now hub.service", "--user daemon-reload"])
    }

    @Test func `a folder that cannot be written is reported`() async throws {
        let installer = ServiceInstaller(configHome: "/dev/null") { _ async throws(SubprocessError) in
            throw .timedOut
        }
        await #expect(throws: HubError.self) { try await installer.install(unit) }
    }

    @Test func `systemd itself accepts the unit`() async throws {
        try Directory.make(home.path + "/systemd/user")
        let unit = ServiceUnit(
            program: "/bin/true", arguments: ["serve", "a b\"c", "100%", "$HOME", "it's"],
            environment: [("XDG_DATA_HOME", "/srv/a b/100%/$x")], writable: ["/srv/a b", "/srv/100%"])
        let path = home.path + "/hub.service"
        let file = try AtomicFile(path: path)
        try file.write(Array(unit.text.utf8))
        try file.commit()
        let verdict = try await Subprocess(
            "systemd-analyze", ["verify", "--user", "--man=no", path],
            environment: ["HOME": home.path, "XDG_RUNTIME_DIR": home.path, "PATH": "/usr/bin:/bin"]
        ).run(outputLimit: 1 << 16, timeout: .seconds(3600))
        #expect(String(decoding: verdict.errorOutput, as: UTF8.self) == "")
        #expect(verdict.status.isSuccess)
    }

    @Test func `the unit serves the store and the config of the command that wrote it`() throws {
        let environment = ProcessEnvironment(
            arguments: [],
            variables: [
                "XDG_CONFIG_HOME": "/srv/my config", "XDG_STATE_HOME": "relative", "XDG_RUNTIME_DIR": home.path,
            ],
            home: "/home/ada")
        try Directory.make(home.path)
        let config = home.path + "/hub.toml"
        let file = try AtomicFile(path: config)
        try file.write(Array("plugins.contacts.accounts.nas.url = \"/srv/cards\"\n".utf8))
        try file.commit()
        defer { unlink(config) }
        let options = try CommandLineParser(root: TestHub.root([ContactsPlugin.self]), environment: [:])
            .parse(["--data", "/srv/hub data", "--config", config, "version"]).values
        let hub = Hub(
            plugins: [ContactsPlugin.self], environment: environment, options: options,
            log: Log(label: "test") { _, _, _ in })
        let text = try ServiceCommands.unit(hub, program: "/usr/bin/hub").text
        #expect(
            text.contains("ExecStart=/usr/bin/hub --data \"/srv/hub data\" --config \(config) serve\n"),
            "\(text)")
        #expect(text.contains("\nEnvironment=\"XDG_CONFIG_HOME=/srv/my config\"\n"))
        #expect(!text.contains("XDG_STATE_HOME"))
        let paths = "\nReadWritePaths=%h %t \"-/srv/hub data\" \"-/srv/my config/hub\" -/srv/cards\n"
        #expect(text.contains(paths), "\(text)")
        #expect(text.contains("\nRestartPreventExitStatus=64 77 78\n"))
    }

    @Test(arguments: [
        ("plain", "plain"), ("", "\"\""), ("a b", "\"a b\""), ("a\"b", "\"a\\\"b\""), ("50%", "50%%"), ("$X", "$$X"),
        ("a\\b", "\"a\\\\b\""), ("it's", "\"it's\""),
    ])
    func `a word is quoted as the unit syntax wants it`(word: String, quoted: String) {
        #expect(ServiceUnit.quoted(word) == quoted)
    }
}

/// A config folder that goes with the value.
private final class ConfigHome: Sendable {
    let path = "/tmp/hub-config-\(Identifier.make())"

    deinit {
        unlink(path + "/systemd/user/hub.service")
        unlink(path + "/hub.service")
        for folder in ["/systemd/user", "/systemd", ""] { rmdir(path + folder) }
    }
}

/// The calls of systemctl.
private final class Calls: Sendable {
    private let calls = Mutex<[String]>([])

    var all: [String] { calls.withLock { $0 } }

    func add(_ arguments: [String]) { calls.withLock { $0.append(arguments.joined(separator: " ")) } }
}
