import HubRuntimeTesting
import Testing

/// Help, completion and manual pages, which must be there when nothing else works.
@Suite(.timeLimit(.minutes(20)))
struct HelpTests {
    /// Makes `hub` understand the line, whatever form it asks for, and then print its fields alone.
    private static let parsing = """
        set -o pipefail
        hub() {
            local word words=() code=0
            for word; do case $word in --json* | --plain* | --format=*) ;; *) words+=("$word") ;; esac; done
            command hub "${words[@]}" --json=help < /dev/null || code=$?
            # Who writes to a pipe must not find it closed.
            if [ -p /dev/stdin ]; then cat > /dev/null; fi
            return $code
        }

        """

    /// Every command that `hub help --all` lists, by its words.
    private func commands(_ sandbox: Sandbox) async throws -> [String] {
        let help = try await sandbox.runInProcess("help", "--all")
        let lines = help.output.split(separator: "\n").drop { $0 != "Commands:" }.dropFirst()
        let commands = lines.prefix { !$0.hasSuffix(":") }.filter { !$0.hasPrefix("   ") }
            .map { $0.dropFirst(2).split(separator: "  ")[0] }
        try #require(commands.count > 40, "\(help.all)")
        return commands.map(String.init)
    }

    @Test func `every command has help, whatever the config file holds`() async throws {
        let sandbox = try Sandbox(config: "[hub\nbroken")
        let commands = try await commands(sandbox)
        try await sandbox.inProcess { hub in
            for command in commands {
                let words = command.split(separator: " ").map(String.init)
                let help = await hub.finished(["help"] + words)
                #expect(help.code == 0, "\(command): \(help.all)")
                #expect(help.output.hasPrefix("hub \(command): "), "\(help.output)")
                #expect(await hub.finished(words + ["--help"]).output == help.output)
                let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count <= 25 && lines.allSatisfy { $0.count <= 80 }, "\(command) does not fit a screen")
            }
        }
        // The first screen looks at the config, and a process reads its config before it knows what is asked.
        let topics = ["environment", "exit-codes", "formatting", "files", "config", "--all", "contacts"]
        for words in [["help"], ["--help"], ["contacts", "list", "--help"]] + topics.map({ ["help", $0] }) {
            let help = try await sandbox.run(words)
            #expect(help.code == 0 && !help.output.isEmpty, "\(words): \(help.all)")
        }
    }

    /// Whether an example goes on until it is stopped.
    private static func isEndless(_ example: String) -> Bool {
        ["hub notes serve", "hub demo"].contains(example)
            || ["hub serve", "hub events tail", "hub logs --follow", "watch"].contains(where: example.contains)
    }

    @Test func `every example of the help can be typed, and is no fault of hub when it is run`() async throws {
        // Nothing is asked and nothing goes out: what needs either says so.
        let sandbox = try Sandbox(
            config: "[plugins]\ndictofun.development = true\n",
            extra: ["HUB_OFFLINE": "1", "HUB_YES": "1", "HUB_NO_INPUT": "1"])
        try sandbox.write("secret", to: "password.txt")
        try sandbox.write("text", to: "build.log")
        try await sandbox.shell("mkdir backups")
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada + Cards.lukasz)
        var count = 0
        for example in try await examples(sandbox) {
            var isParsed = false
            if !Self.isEndless(example) {
                let run = try await sandbox.shell("{ \(example)\n} </dev/null")
                let needsPerson =
                    run.code == 64 && ["terminal", "nobody can be asked"].contains(where: run.errors.contains)
                #expect(run.code != 70 && (run.code != 64 || needsPerson) && run.code < 126, "\(example): \(run.all)")
                isParsed = run.code != 64 && !example.contains(where: "|&;<>$`".contains)
                count += 1
            }
            // What was run was understood, unless the exit code is that of another command of the line.
            if !isParsed {
                let typed = try await sandbox.shell(Self.parsing + example)
                #expect(typed.code == 0, "\(example): \(typed.all)")
            }
        }
        #expect(count > 200)
    }

    /// All examples in the help of all commands.
    private func examples(_ sandbox: Sandbox) async throws -> [String] {
        var found: [String] = []
        let commands = try await commands(sandbox)
        try await sandbox.inProcess { hub in
            for command in commands {
                let help = await hub.finished(["help"] + command.split(separator: " ").map(String.init))
                let lines = help.output.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
                found += lines.prefix { $0.hasPrefix("  ") }.filter { $0.hasPrefix("  hub ") }
                    .map { String($0.dropFirst(2).split(separator: "   ")[0]) }
            }
        }
        return found
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each shell takes its completion script`(shell: String) async throws {
        let sandbox = try Sandbox()
        let checked = try await sandbox.shell("hub completion \(shell) > script && \(shell) -n script")
        #expect(checked.code == 0 && checked.all.isEmpty, "\(checked.all)")
        #expect(sandbox.read("script")?.contains("hub") == true)
    }

    @Test func `bash completes commands, options and contacts`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada)
        try sandbox.write(
            """
            eval "$(hub completion bash)"
            complete_line() {
                COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
                _hub
                printf '%s\\n' "${COMPREPLY[@]}"
            }
            complete_line "hub cont"
            complete_line "hub contacts ed"
            complete_line "hub contacts list --rev"
            complete_line "hub contacts list --tag x --li"
            """, to: "try")
        let completed = try await sandbox.shell("bash try")
        let words = completed.output.split(separator: "\n").map { String($0).trimmingEnd }
        #expect(words == ["contacts", "edit", "--reverse", "--limit"], "\(completed.all)")
        let contacts = try await sandbox.run("__complete", "contacts", "show", "ada")
        #expect(contacts.output.contains("\tAda Lovelace"), "\(contacts.all)")
    }

    @Test func `the manual pages are right and name every plugin`() async throws {
        let sandbox = try Sandbox()
        let made = try await sandbox.shell("mkdir man && hub __manual man && ls man")
        #expect(made.output.contains("hub.1\n") && made.output.contains("hub-contacts.1\n"), "\(made.all)")
        let checked = try await sandbox.shell(
            "for page in man/*; do MANROFFSEQ= man --warnings -E UTF-8 -l -Tutf8 -Z $page > /dev/null; done")
        #expect(checked.code == 0 && checked.all.isEmpty, "\(checked.all)")
    }
}
