import NetworkTestSupport
import TestSupport
import Testing

/// `hub market watch` as a user sees it: the real program in a terminal of tmux, over a market that goes away and comes back.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct MarketWatchTests {
    private static let root = #filePath.replacing("Tests/EndToEndTests/MarketWatchTests.swift", with: "")

    /// The fake market at a port of loopback, with hostile names.
    private static func backend(_ port: UInt16) throws -> TestProcess {
        let backend = try TestProcess(
            "\(root).build/peers/bin/python",
            [
                "-B", "\(root)Tests/MarketBackend/backend.py", "--port", "\(port)", "--tokens", "60", "--odd-names",
                "--intervals", "5", "1",
            ])
        _ = try backend.line()
        return backend
    }

    /// Runs `body` beside `hub market watch` over status-go, whose prices are pushed.
    private func watching(_ port: UInt16, _ body: (Sandbox) async throws -> Void) async throws {
        let sandbox = try Sandbox(
            config: """
                [plugins]
                market.providers = ["status-go"]
                market.status_go.url = "http://127.0.0.1:\(port)"
                market.status_go.data = "/nonexistent"
                market.status_go.password = "secret"

                """)
        try sandbox.write("set -g status off\n", to: "tmux.conf")
        let start = try await sandbox.shell(
            "tmux -f tmux.conf -S tmux new-session -d -x 100 -y 20 'hub market watch 2>errors; echo $? >code'")
        #expect(start.code == 0, "\(start.all)")
        do { try await body(sandbox) } catch {
            try await sandbox.shell("tmux -S tmux kill-server")
            throw error
        }
        try await sandbox.shell("tmux -S tmux kill-server")
    }

    private func lines(_ sandbox: Sandbox) async throws -> [String] {
        let text = try await sandbox.shell("tmux -S tmux capture-pane -p").output
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The lines of the screen as soon as they fulfil a condition.
    private func screen(
        _ sandbox: Sandbox, _ what: String, where holds: ([String]) -> Bool
    ) async throws -> [String] {
        var found: [String] = []
        try await eventually(what) {
            found = try await lines(sandbox)
            return holds(found)
        }
        return found
    }

    /// The numbers and symbols of the rows, from the top.
    private func coins(_ lines: [String]) -> [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ").map(String.init).filter { $0 != ">" }
            guard let number = words.first, Int(number) != nil else { return nil }
            return words.first { $0.hasPrefix("C") && Int($0.dropFirst()) != nil }.map { "\(number) \($0)" }
        }
    }

    private func isLive(_ lines: [String]) -> Bool {
        !lines.contains { $0.hasPrefix("!") } && lines.contains { $0.contains(" ago. 1 to ") } && coins(lines).count > 5
    }

    @Test func `pulling the network in mid-watch keeps names, order and age, and it comes back by itself`() async throws
    {
        let port = try FreePort.next()
        var backend: TestProcess? = try Self.backend(port)
        try await watching(port) { sandbox in
            let before = try await screen(sandbox, "the board", where: isLive)
            backend = nil
            let away = try await screen(sandbox, "the warning") { lines in
                lines.contains { $0.hasPrefix("! status-go ") && $0.contains("; prices are ") && $0.contains(" old") }
            }
            #expect(coins(away) == coins(before))
            #expect(away.contains { $0.contains("ビットコイン C5") }, "names stay: \(away)")
            backend = try Self.backend(port)
            let back = try await screen(sandbox, "the board again", where: isLive)
            #expect(coins(back) == coins(before))
            try await sandbox.shell("tmux -S tmux send-keys q")
            try await eventually("the end") { sandbox.read("code") == "0\n" }
            #expect(sandbox.read("errors") == "")
        }
        withExtendedLifetime(backend) {}
    }

    @Test func `hostile names and changes of the size leave the terminal as it is`() async throws {
        let port = try FreePort.next()
        let backend = try Self.backend(port)
        try await watching(port) { sandbox in
            let wide = try await screen(sandbox, "the board", where: isLive)
            #expect(wide.count == 20 && wide[0].contains("MARKET CAP"))
            let title = try await sandbox.shell("tmux -S tmux display-message -p '#{pane_title}'").output
            #expect(!title.contains("owned"), "a name set the title: \(title)")
            // Each name is in its row, and no other row was moved, cleared or coloured by it.
            let rows = wide.dropFirst().prefix(17)
            #expect(rows.enumerated().allSatisfy { coins([$1]).first?.hasPrefix("\($0 + 1) ") == true }, "\(wide)")
            #expect(rows.allSatisfy { !$0.contains("owned") && !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
            for (columns, height) in [(40, 8), (140, 30), (80, 24)] {
                try await sandbox.shell("tmux -S tmux resize-window -x \(columns) -y \(height)")
                let lines = try await screen(sandbox, "\(columns) columns") { lines in
                    lines.count == height && lines[0].contains("PRICE USD") && coins(lines).count == height - 3
                        && lines[height - 1].hasPrefix("q quit")
                }
                #expect(lines[0].contains("7 DAYS") == (columns == 140))
            }
            try await sandbox.shell("tmux -S tmux send-keys p")
            let sorted = try await screen(sandbox, "the order by price") { $0[0].contains("▼PRICE USD") }
            #expect(coins(sorted).first == "1 C0")
        }
        withExtendedLifetime(backend) {}
    }
}
