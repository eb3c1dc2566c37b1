import Testing

/// Help, completion and manual pages, which must be there when nothing else works.
@Suite(.timeLimit(.minutes(20)))
struct HelpTests {
    /// Makes `hub` understand the line, whatever form it asks for, and then answer with its fields alone.
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
        let help = try await sandbox.run("help", "--all")
        let lines = help.output.split(separator: "\n").drop { $0 != "Commands:" }.dropFirst()
        let commands = lines.prefix { !$0.hasSuffix(":") }.filter { !$0.hasPrefix("   ") }
            .map { $0.dropFirst(2).split(separator: "  ")[0] }
        try #require(commands.count > 40, "\(help.all)")
        return commands.map(String.init)
    }

    @Test func `every command has help, whatever the config file holds`() async throws {
        let sandbox = try Sandbox(config: "[hub\nbroken")
        for command in try await commands(sandbox) {
            let words = command.split(separator: " ").map(String.init)
            let help = try await sandbox.run(["help"] + words)
            #expect(help.code == 0, "\(command): \(help.all)")
            #expect(help.output.hasPrefix("hub \(command): "), "\(help.output)")
            #expect(try await sandbox.run(words + ["--help"]).output == help.output)
            let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 25 && lines.allSatisfy { $0.count <= 80 }, "\(command) does not fit a screen")
        }
        for topic in ["environment", "exit-codes", "formatting", "files", "config"] {
            #expect(try await sandbox.run("help", topic).code == 0)
        }
    }

    @Test func `every example of the help can be typed`() async throws {
        let sandbox = try Sandbox()
        try sandbox.write("secret", to: "password.txt")
        try sandbox.write("text", to: "build.log")
        var count = 0
        for example in try await examples(sandbox) {
            let typed = try await sandbox.shell(Self.parsing + example)
            #expect(typed.code == 0, "\(example): \(typed.all)")
            count += 1
        }
        #expect(count > 40)
    }

    /// Whether an example goes on until it is stopped.
    private static func isEndless(_ example: String) -> Bool {
        example == "hub notes serve"
            || ["hub serve", "hub events tail", "hub logs --follow", "watch"].contains(where: example.contains)
    }

    @Test func `no example of the help is a usage error or a fault of hub when it is run`() async throws {
        // Nothing is asked and nothing goes out: what needs either says so.
        let sandbox = try Sandbox(
            config: "[plugins]\ndictofun.development = true\n",
            extra: ["HUB_OFFLINE": "1", "HUB_YES": "1", "HUB_NO_INPUT": "1"])
        try sandbox.write("secret", to: "password.txt")
        try sandbox.write("text", to: "build.log")
        try await sandbox.shell("mkdir backups")
        try await sandbox.run("contacts", "import", "-", input: Cards.ada + Cards.lukasz)
        var count = 0
        for example in try await examples(sandbox) where !Self.isEndless(example) {
            let run = try await sandbox.shell("{ \(example)\n} </dev/null")
            let needsPerson =
                run.code == 64 && ["terminal", "nobody can be asked"].contains(where: run.errors.contains)
            #expect(run.code != 70 && (run.code != 64 || needsPerson) && run.code < 126, "\(example): \(run.all)")
            count += 1
        }
        #expect(count > 200)
    }

    /// All examples in the help of all commands.
    private func examples(_ sandbox: Sandbox) async throws -> [String] {
        var found: [String] = []
        for command in try await commands(sandbox) {
            let help = try await sandbox.run(["help"] + command.split(separator: " ").map(String.init))
            let lines = help.output.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
            found += lines.prefix { $0.hasPrefix("  ") }.filter { $0.hasPrefix("  hub ") }
                .map { String($0.dropFirst(2).split(separator: "   ")[0]) }
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
        try await sandbox.run("contacts", "import", "-", input: Cards.ada)
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
