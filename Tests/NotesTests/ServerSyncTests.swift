import HTTPClient
import HubKitTesting
import JSON
import NotesDomain
import TestSupport
import Testing

@testable import Notes

/// Notes of this machine in sync with a server of NoteApp, over real sockets.
@Suite(.timeLimit(.minutes(20)))
struct ServerSyncTests {
    /// A machine that is a client of `server` as `ada`.
    private func machine(_ server: NoteAppServer, options: String = "") async throws -> NotesHub {
        let hub = try NotesHub()
        let run = await hub.run(
            "notes servers add home \(server.url) --user ada --token-command 'echo x' \(options)")
        #expect(run.exit == 0, "\(run.all)")
        return hub
    }

    private func sync(_ hub: NotesHub, exit: Int32 = 0, _ options: String = "") async -> String {
        let run = await hub.run("notes sync \(options)")
        #expect(run.exit == exit, "\(run.all)")
        return run.all
    }

    private func text(_ hub: NotesHub, _ note: String) async -> String {
        let output = await hub.run("notes show \(note) --json=content", isTerminal: false).output
        return (try? JSONReader.read(Array(output.utf8)))?["content"]?.string ?? output
    }

    @Test func `notes of both sides are exchanged, and a second sync has nothing to do`() async throws {
        let server = try NoteAppServer()
        _ = try await server.make("Theirs", "eggs", owner: "bob", access: ["bob", "ada"])
        let hub = try await machine(server)
        await hub.run("notes new Mine -m milk")
        #expect(await sync(hub).contains("received 1 new; sent 1 new"))
        #expect(try await server.texts() == [["Theirs", "eggs"], ["Mine", "milk"]])
        #expect(await text(hub, "theirs") == "eggs")
        #expect(await sync(hub).contains("up to date"))
        #expect(try await server.count("PUT") == 0)
        let status = await hub.run("notes status").output
        #expect(status.contains("home  synced  2 notes"))
    }

    @Test func `a server of NoteApp is connected under a name, without a token that it does not have`() async throws {
        let server = try NoteAppServer()
        let hub = try NotesHub()
        let run = await hub.run("notes servers add phone \(server.url) --user ada", isTerminal: false)
        #expect(run.exit == 0, "\(run.all)")
        await hub.run("notes new Mine -m milk")
        #expect(await sync(hub).contains("sent 1 new"))
        #expect(try await server.send(.get, "api/notes").array?.first?["owner"]?.string == "ada")
        #expect(await hub.run("notes servers test phone").exit == 0)
    }

    @Test func `a server that confirms what it does not know gets nothing but NoteApp's messages`() async throws {
        let server = try NoteAppServer()
        let hub = try await machine(server)
        await hub.run("notes new Mine -m milk")
        #expect(await sync(hub).contains("sent 1 new"))
        #expect(await hub.run("notes unlock mine").exit != 0)
        #expect(try await server.send(.get, "_control/frames").array?.isEmpty == true)
    }

    @Test(.seeded, arguments: 0..<2)
    func `lines of two machines and a phone are there once, as they were typed`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let server = try NoteAppServer()
        let id = try await server.make("List", "- [ ] buy salt", owner: "bob", access: ["bob", "ada"])
        let machines = [try await machine(server), try await machine(server)]
        for machine in machines { _ = await sync(machine) }
        var (phone, lines) = ("- [ ] buy salt", ["- [ ] buy salt"])
        for round in 0..<6 {
            for machine in machines {
                let thing = ["milk", "bread"].randomElement(using: &generator) ?? ""
                lines.append("- [ ] buy \(thing) no \(lines.count)")
                await machine.run("notes append list '\(lines[lines.count - 1])'")
            }
            lines.append("- [ ] buy milk for \(lines.count)")
            phone += "\n" + lines[lines.count - 1]
            let first = Int.random(in: 0..<2, using: &generator)
            _ = await sync(machines[first])
            // The phone has read what was there before the sync.
            try await server.replace(id, "List", phone, owner: "bob", access: ["bob", "ada"])
            _ = await sync(machines[1 - first])
            if round % 2 == 0 { _ = await sync(machines[first]) }
            phone = try await server.texts()[0][1]
        }
        for machine in machines + machines { _ = await sync(machine) }
        #expect(try await server.texts()[0][1].split(separator: "\n").map(String.init).sorted() == lines.sorted())
        for machine in machines { #expect(try await text(machine, "list") == server.texts()[0][1]) }
    }

    @Test func `texts that both sides changed are merged`() async throws {
        let server = try NoteAppServer()
        let id = try await server.make("List", "milk\nbread\n", owner: "bob", access: ["bob", "ada"])
        let hub = try await machine(server)
        _ = await sync(hub)
        await hub.run("notes append list oats")
        try await server.replace(id, "List", "eggs\nmilk\nbread\n", owner: "bob", access: ["bob", "ada"])
        #expect(await sync(hub).contains("merged  List"))
        #expect(await text(hub, "list") == "eggs\nmilk\nbread\noats")
        #expect(try await server.texts() == [["List", "eggs\nmilk\nbread\noats"]])
    }

    @Test(arguments: [#""lose": "request""#, #""lose": "answer""#, #""status": 503"#])
    func `a lost request is sent again and doubles nothing`(fault: String) async throws {
        let server = try NoteAppServer()
        let hub = try await machine(server)
        await hub.run("notes new Mine -m milk")
        // A PUT may be repeated over another connection, which fails too.
        let faults = ["POST", "PUT", "PUT"].map { #"{"method": "\#($0)", \#(fault)}"# }
        try await server.fail("[" + faults.prefix(fault.contains("503") ? 2 : 3).joined(separator: ",") + "]")
        _ = await sync(hub, exit: fault.contains("503") ? 75 : 69)
        _ = await sync(hub)
        #expect(try await server.texts() == [["Mine", "milk"]])
        await hub.run("notes append mine bread")
        _ = await sync(hub, exit: fault.contains("503") ? 75 : 69)
        await hub.run("notes append mine oats")
        _ = await sync(hub)
        #expect(try await server.texts() == [["Mine", "milk\nbread\noats"]])
        #expect(await text(hub, "mine") == "milk\nbread\noats")
    }

    @Test func `a PUT of another client at the same time is merged, not overwritten`() async throws {
        let server = try NoteAppServer()
        let id = try await server.make("List", "milk", owner: "bob", access: ["bob", "ada"])
        let hub = try await machine(server)
        _ = await sync(hub)
        // Ours is stored, and then replaced by one that was based on what was there before.
        await hub.run("notes append list bread")
        _ = await sync(hub)
        try await server.replace(id, "List", "eggs\nmilk", owner: "bob", access: ["bob", "ada"])
        _ = await sync(hub)
        #expect(try await server.texts() == [["List", "eggs\nmilk\nbread"]])
    }

    @Test func `a note deleted on the server goes to the trash, unless it was changed here`() async throws {
        let server = try NoteAppServer()
        let first = try await server.make("First", "a", owner: "bob", access: ["ada"])
        let second = try await server.make("Second", "b", owner: "bob", access: ["ada"])
        _ = try await server.make("Third", "c", owner: "bob", access: ["ada"])
        let hub = try await machine(server)
        _ = await sync(hub)
        await hub.run("notes append second more")
        try await server.send(.delete, "api/notes/\(first)", "{}")
        try await server.send(.delete, "api/notes/\(second)", "{}")
        _ = await sync(hub)
        #expect(await hub.run("notes list --trash --format '{name}'").output == "First\n")
        #expect(try await server.texts() == [["Third", "c"], ["Second", "b\nmore"]])
    }

    @Test func `own notes are deleted on the server, those of others stay there`() async throws {
        let server = try NoteAppServer()
        _ = try await server.make("Theirs", "a", owner: "bob", access: ["ada"])
        let hub = try await machine(server)
        await hub.run("notes new Mine -m b")
        _ = await sync(hub)
        await hub.run("notes rm mine theirs --yes")
        _ = await sync(hub)
        #expect(try await server.texts() == [["Theirs", "a"]])
        _ = await sync(hub)
        #expect(await hub.run("notes list --format '{name}'", isTerminal: false).output == "")
        await hub.run("notes restore theirs")
        await hub.run("notes append theirs more")
        _ = await sync(hub)
        #expect(try await server.texts() == [["Theirs", "a\nmore"]])
    }

    @Test func `a locked note comes without its text until it is unlocked`() async throws {
        let server = try NoteAppServer()
        let id = try await server.make("Secret", "a", owner: "bob", access: ["bob"])
        let hub = try await machine(server)
        _ = await sync(hub)
        #expect(await text(hub, "secret") == "")
        await hub.run("notes append secret mine")
        _ = await sync(hub)
        #expect(try await server.texts() == [["Secret", "a"]])
        try await server.replace(id, "Secret", "a", owner: "bob", access: ["bob", "ada"])
        _ = await sync(hub)
        #expect(try await server.texts().first?.last?.contains("a") == true)
        #expect(try await server.texts().first?.last?.contains("mine") == true)
    }

    @Test func `access to a locked note is asked for, and the owner's hub stores the request`() async throws {
        let server = try NoteAppServer()
        let hub = try await machine(server)
        let owner = try NotesHub()
        let added = await owner.run("notes servers add home \(server.url) --user bob --token-command 'echo x'")
        #expect(added.exit == 0, "\(added.all)")
        await owner.run("notes new Secret -m a")
        _ = await sync(owner)
        _ = await sync(hub)
        let refused = await hub.run("notes unlock last --offline")
        #expect(refused.exit != 0)
        let watch = Task { await owner.run("notes watch") }
        while await !owner.run("notes status").output.contains("connected") { await Task.yield() }
        let asked = await hub.run("notes unlock secret -m 'for Monday'")
        #expect(asked.exit == 0, "\(asked.all)")
        let frames = try await server.send(.get, "_control/frames").array
        #expect(frames?.count == 1)
        #expect(frames?.first?["method"]?.string == "accessRequest" && frames?.first?["deviceId"]?.string == "ada")
        while await !owner.run("notes requests").output.contains("for Monday") { await Task.yield() }
        let allowed = await owner.run("notes requests allow ada")
        #expect(allowed.exit == 0, "\(allowed.all)")
        watch.cancel()
        _ = await watch.value
        _ = await sync(owner)
        _ = await sync(hub)
        #expect(await text(hub, "secret") == "a")
        #expect(await hub.run("notes unlock secret").exit != 0)
    }

    @Test func `damaged notes on the server are neither gone nor in the way`() async throws {
        let server = try NoteAppServer()
        let id = try await server.make("List", "milk", owner: "bob", access: ["ada"])
        let hub = try await machine(server)
        _ = await sync(hub)
        try await server.send(.put, "api/notes/\(id)", #"{"title": "only"}"#)
        _ = await sync(hub)
        #expect(await text(hub, "list") == "milk")
    }

    @Test func `many notes that are gone at once stay here until the user agrees`() async throws {
        let server = try NoteAppServer()
        for number in 1...12 { _ = try await server.make("n\(number)", "x", owner: "bob", access: ["ada"]) }
        let hub = try await machine(server)
        _ = await sync(hub)
        try await server.send(.post, "_control/notes", "[]")
        let run = await hub.run("notes sync --no-input")
        #expect(run.exit != 0, "\(run.all)")
        #expect(
            await hub.run("notes list --format '{name}'", isTerminal: false).output.split(separator: "\n").count == 12)
        _ = await sync(hub, "--force")
        #expect(await hub.run("notes list --format '{name}'", isTerminal: false).output == "")
    }

    @Test func `only notes of the folder go to a server with one`() async throws {
        let server = try NoteAppServer()
        _ = try await server.make("Theirs", "a", owner: "bob", access: ["ada"])
        let hub = try await machine(server, options: "--folder team")
        await hub.run("notes new Private -m b")
        await hub.run("notes new Shared -m c --folder team/x")
        _ = await sync(hub)
        #expect(try await server.texts() == [["Theirs", "a"], ["Shared", "c"]])
        #expect(
            await hub.run("notes list --folder team --format '{name}'", isTerminal: false).output.contains("Theirs"))
    }

    @Test func `a server that is added again has the same notes`() async throws {
        let server = try NoteAppServer()
        let hub = try await machine(server)
        await hub.run("notes new Mine -m milk")
        _ = await sync(hub)
        await hub.run("notes servers rm home --yes")
        await hub.run("notes append mine bread")
        let run = await hub.run("notes servers add box \(server.url) --user ada --token-command 'echo x'")
        #expect(run.exit == 0, "\(run.all)")
        _ = await sync(hub)
        #expect(try await server.texts() == [["Mine", "milk\nbread"]])
    }

    @Test func `a note larger than the server takes waits and does not stop the others`() async throws {
        let server = try NoteAppServer()
        let hub = try await machine(server)
        await hub.run("notes new Large -m " + String(repeating: "x", count: 110_000))
        await hub.run("notes new Small -m b")
        #expect(await sync(hub, exit: 2).contains("Large"))
        #expect(try await server.texts() == [["Small", "b"]])
    }

    @Test func `without a network the status says so and changes wait`() async throws {
        let hub: NotesHub
        do {
            let server = try NoteAppServer()
            hub = try await machine(server)
        }
        await hub.run("notes new Mine -m milk")
        _ = await sync(hub, exit: 69)
        let status = await hub.run("notes status").output
        #expect(status.contains("failing") && status.contains("local changes will be sent"), "\(status)")
    }
}
