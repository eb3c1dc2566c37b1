import Glibc
package import System

/// `hub service install` and `uninstall`: writes the unit to the user's systemd folder and enables it.
package struct ServiceInstaller: Sendable {
    /// The result for the user.
    package struct Report: Sendable, Equatable {
        /// The unit file.
        package let path: String
        /// Whether systemd heeded it at once.
        package let isActive: Bool
        /// The error message of systemd, and what to do then.
        package let problem: String?
    }

    private let directory: String
    private let run: @Sendable (_ arguments: [String]) async throws(SubprocessError) -> Subprocess.Finished

    /// `configHome` is `$XDG_CONFIG_HOME`, in which the unit lies. `systemctl` runs with the given arguments; it is a
    /// script in tests.
    package init(
        configHome: String,
        systemctl: @escaping @Sendable ([String]) async throws(SubprocessError) -> Subprocess.Finished = {
            arguments async throws(SubprocessError) in
            try await Subprocess("systemctl", arguments).run(outputLimit: 64 << 10, timeout: .seconds(30))
        }
    ) {
        directory = configHome + "/systemd/user"
        run = systemctl
    }

    /// Creates the installer for the user of `environment`.
    init(environment: ProcessEnvironment) {
        self.init(configHome: environment["XDG_CONFIG_HOME"] ?? environment.home + "/.config")
    }

    /// Whether the unit is there.
    var isInstalled: Bool { access(path, F_OK) == 0 }

    private var path: String { "\(directory)/\(ServiceUnit.name)" }

    /// The program that the unit starts; nil without a unit, or where its line cannot be read.
    var program: String? {
        let bytes = (try? BoundedFile.read(path, limit: 64 << 10)) ?? []
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("ExecStart=") }
        return line.flatMap { ShellWords.split(String($0.dropFirst("ExecStart=".count)))?.first }
            .map { $0.replacing("%%", with: "%").replacing("$$", with: "$") }
    }

    /// Writes the unit, enables it and starts it. A failed start is reported but not an error.
    package func install(_ unit: ServiceUnit) async throws(HubError) -> Report {
        do throws(SystemError) {
            try Directory.make(directory)
        } catch {
            throw ServiceInstaller.failure("the unit cannot be written", error)
        }
        try write(unit.text)
        var problem = await complaint(about: ["--user", "daemon-reload"])
        if problem == nil { problem = await complaint(about: ["--user", "enable", "--now", ServiceUnit.name]) }
        return Report(path: path, isActive: problem == nil, problem: problem)
    }

    /// Stops and removes the unit; nil when there was none.
    package func uninstall() async throws(HubError) -> Report? {
        guard access(path, F_OK) == 0 else { return nil }
        let problem = await complaint(about: ["--user", "disable", "--now", ServiceUnit.name])
        guard unlink(path) == 0 else {
            throw ServiceInstaller.failure("the unit cannot be removed", SystemError("remove \(path)"))
        }
        _ = await complaint(about: ["--user", "daemon-reload"])
        return Report(path: path, isActive: false, problem: problem)
    }

    /// Returns the error message of systemctl; nil for success.
    private func complaint(about arguments: [String]) async -> String? {
        do throws(SubprocessError) {
            let finished = try await run(arguments)
            if finished.status.isSuccess { return nil }
            let text = String(decoding: finished.errorOutput, as: UTF8.self)
            let line = text.split(whereSeparator: \.isNewline).first.map { TerminalSanitizer.line(String($0)) }
            return line ?? "systemctl \(arguments.joined(separator: " ")) failed"
        } catch {
            return "systemctl cannot be run: \(error)"
        }
    }

    private func write(_ text: String) throws(HubError) {
        let file = try AtomicFile(path: path)
        do throws(SinkError) {
            try file.write(Array(text.utf8))
        } catch {
            file.discard()
            throw ServiceInstaller.failure("the unit cannot be written", SystemError("write \(path)"))
        }
        try file.commit()
    }

    private static func failure(_ message: String, _ error: SystemError) -> HubError {
        HubError(
            .unavailable, code: "unit-not-changed", message, details: [error.description], cause: error)
    }
}
