import Testing

/// Standard streams that are not there, and the line that a crash leaves.
@Suite(.timeLimit(.minutes(20)))
struct StandardStreamTests {
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada)
        return sandbox
    }

    /// Every file of the store that holds `text`, the database aside.
    private func files(holding text: String, in sandbox: Sandbox) async throws -> String {
        try await sandbox.shell("grep -rl --exclude='hub.db*' '\(text)' data state cache run; true").output
    }

    @Test(arguments: [">&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"])
    func `with closed streams nothing of the output lands in a file of the store`(closing: String) async throws {
        let sandbox = try await sandbox()
        let listed = try await sandbox.shell("hub contacts list \(closing)")
        #expect(listed.code == 74, "\(listed.all)")
        let made = try await sandbox.shell("hub contacts new 'Grace Hopper' \(closing)")
        #expect(made.code == 74, "\(made.all)")
        if !closing.contains("2>&-") { #expect(made.errors.hasPrefix("error: the change was made"), "\(made.errors)") }
        if !closing.contains("2>&-") {
            #expect(listed.errors.hasPrefix("error: cannot write the output\n  stdout is closed\n"), "\(listed.errors)")
        }
        #expect(try await files(holding: "Lovelace", in: sandbox) == "")
        // The change was made: only its report is missing.
        #expect(try await sandbox.contacts().map(\.name).sorted() == ["Ada Lovelace", "Grace Hopper"])
    }

    @Test func `a command without output needs no stdout, and one without input no stdin`() async throws {
        let sandbox = try await sandbox()
        #expect(try await sandbox.shell("hub contacts rm ada -yq >&-").code == 0)
        #expect(try await sandbox.shell("hub contacts list <&-").code == 0)
        let importing = try await sandbox.shell("hub contacts import - <&-")
        #expect(importing.code == 65, "\(importing.all)")
    }

    @Test func `a closed stderr hides messages and nothing else`() async throws {
        let sandbox = try await sandbox()
        let listed = try await sandbox.shell("hub contacts list 2>&-")
        #expect(listed.code == 0 && listed.output.contains("Ada Lovelace"))
        #expect(try await sandbox.shell("hub contacts show nobody 2>&-").code == 1)
        #expect(try await files(holding: "nobody", in: sandbox) == "")
    }

    @Test(arguments: [11, 7, 4, 6] as [Int32])
    func `a crash leaves one line that says what to report`(signal: Int32) async throws {
        // The hook ends after hub has, which could otherwise be done before it takes the signal in.
        let sandbox = try Sandbox(
            config: """
                [hooks.crash]
                on = "app.user/crash"
                run = "kill -\(signal) $PPID; while kill -0 $PPID 2>/dev/null; do sleep .1; done"

                """,
            extra: ["SWIFT_BACKTRACE": "enable=no"])
        let crashed = try await sandbox.run("events", "publish", "app.user/crash")
        #expect(crashed.code == 128 + signal, "\(crashed.all)")
        #expect(
            crashed.errors == """

                hub: internal error: killed by signal \(signal). Unfinished changes were not saved.
                  hint: report it with the command line and the output of hub version --json

                """, "\(crashed.all)")
        // Else the next command would deliver the event to the hook once more.
        try sandbox.write("", to: "config/hub/config.toml")
        let doctor = try await sandbox.run("doctor")
        #expect(doctor.code == 0, "\(doctor.all)")
    }
}
