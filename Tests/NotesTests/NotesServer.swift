import NetworkTestSupport
import Synchronization
import Testing

/// A hub that serves notes until the value is gone.
final class NotesServer: Sendable {
    let hub: NotesHub
    let url: String
    private let port: LoopbackPort
    private let task: Mutex<Task<Void, Never>>

    /// `variables` are more variables of the environment of the server.
    init(_ variables: [String: String] = [:]) throws {
        port = try LoopbackPort()
        hub = try NotesHub(
            [
                "HUB_NOTES_SERVER_PORT": "\(port.number)", "HUB_NOTES_SERVER_SOCKET_PORT": "\(port.number)",
            ].merging(variables) { $1 })
        url = "http://127.0.0.1:\(port.number)"
        task = Mutex(Task { [hub] in await hub.run("notes serve") })
    }

    deinit { task.withLock { $0.cancel() } }

    /// Ends the server, and starts it again over the same store after `body`. Returns when it can be reached.
    func restart(_ body: () async -> Void = {}) async {
        let old = task.withLock { $0 }
        old.cancel()
        await old.value
        await body()
        task.withLock { $0 = Task { [hub] in await hub.run("notes serve") } }
        while !port.isListening { await Task.yield() }
    }

    /// Returns the line that invites an account, and the token in it.
    func invite(_ name: String) async throws -> (line: String, token: String) {
        let run = await hub.run("notes server users invite \(name)", isTerminal: false)
        let line = try #require(run.output.split(separator: "\n").first { $0.contains("#invitation=") })
        let start = try #require(line.firstRange(of: "http://")).lowerBound
        let invitation = line[start...].prefix { !$0.isWhitespace }
        return (String(invitation), String(try #require(invitation.split(separator: ".").last)))
    }

    /// Adds the server to a new machine of `name`, once it serves.
    func machine(_ name: String) async throws -> NotesHub {
        let (invitation, token) = try await invite(name)
        let machine = try NotesHub()
        var added = NotesHub.Run(output: "", messages: "", exit: 1)
        while added.exit != 0 {
            added = await machine.run(
                "notes servers add home '\(invitation)' --token-command 'echo \(token)'")
            if added.exit != 0, added.exit != 69 { Issue.record("\(added.all)") }
            try #require(added.exit == 0 || added.exit == 69)
        }
        return machine
    }
}
