import Testing

/// `hub demo` as a process.
@Suite(.timeLimit(.minutes(5)))
struct DemoProcessTests {
    /// Runs a demo until it is served, calls the command that it names, and sends it a signal.
    private static func script(_ signal: String) -> String {
        """
        { hub demo 2>&1 & echo $! > pid; wait $!; echo "code $?"; } | while IFS= read -r line; do
            echo "$line"
            case $line in
            "Commands on it: "*) eval "${line#Commands on it: } --plain=text" ;;
            "Press Ctrl-C"*) kill -\(signal) "$(cat pid)" ;;
            esac
        done
        echo "left: $(ls -d run/hub-demo-* 2>/dev/null | wc -l)"
        """
    }

    @Test func `it serves a store of its own until it is stopped, and leaves nothing`() async throws {
        let sandbox = try Sandbox(config: "hub.currency = \"eur\"\n")
        let run = try await sandbox.shell(Self.script("TERM"))
        #expect(run.output.contains("/login?code="), "\(run.all)")
        #expect(run.output.contains("Birthday of Ines Okafor"), "\(run.all)")
        #expect(run.output.hasSuffix("code 0\nleft: 0\n"), "\(run.all)")
        // The one that was killed is removed by the next one.
        let killed = try await sandbox.shell(Self.script("KILL"))
        #expect(killed.output.contains("left: 1\n"), "\(killed.all)")
        let kept = try await sandbox.shell("hub demo --keep kept --seed 3; ls kept; ls run data config/hub state cache")
        #expect(kept.output.contains("config.toml\nhub\n") && !kept.output.contains("hub-demo-"), "\(kept.all)")
        // Nothing but the config file that was there: neither a store nor a socket nor a log.
        #expect(kept.output.contains("config/hub:\nconfig.toml\n\ndata:\n\nrun:\n"), "\(kept.all)")
        #expect(try await sandbox.shell("hub demo --keep kept").code == 64)
    }
}
