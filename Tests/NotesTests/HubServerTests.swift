import HubKitTesting
import JSON
import NotesDomain
import System
import TestSupport
import Testing

@testable import Notes

/// Machines that are clients of a server of hub, over real sockets and hub's own protocol.
@Suite(.timeLimit(.minutes(20)))
struct HubServerTests {
    @discardableResult
    private func sync(_ hub: NotesHub) async -> String {
        let run = await hub.run("notes sync")
        #expect(run.exit == 0, "\(run.all)")
        return run.all
    }

    private func text(_ hub: NotesHub, _ note: String) async -> String {
        let output = await hub.run("notes show \(note) --json=content", isTerminal: false).output
        return (try? JSONReader.read(Array(output.utf8)))?["content"]?.string ?? output
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `two machines of one person have the same notes`(_ store: ServerStoreImplementation) async throws {
        let server = try NotesServer(try await store.variables())
        let (first, second) = (try await server.machine("ada"), try await server.machine("ada"))
        await first.run("notes new List -m milk --tag home --folder work")
        await sync(first)
        #expect(await sync(second).contains("received 1 new"))
        #expect(await text(second, "list") == "milk")
        let shown = await second.run("notes list --json=name,folder,tags", isTerminal: false).output
        #expect(shown.contains("work") && shown.contains("home"), "\(shown)")
        // Both write without a network in between.
        await first.run("notes append list bread")
        await second.run("notes append list eggs")
        await second.run("notes tag list weekly")
        await sync(first)
        await sync(second)
        await sync(first)
        let merged = await text(first, "list")
        #expect(merged.hasPrefix("milk\n") && merged.contains("bread") && merged.contains("eggs"), "\(merged)")
        #expect(await text(second, "list") == merged)
        #expect(await first.run("notes list --json=tags", isTerminal: false).output.contains("weekly"))
        #expect(await sync(first).contains("up to date"))
        await first.run("notes rm list --yes")
        await sync(first)
        await sync(second)
        #expect(await second.run("notes list --trash --json=name", isTerminal: false).output.contains("List"))
    }

    @Test func `a server of hub is not added without an account`() async throws {
        let server = try NotesServer()
        _ = try await server.machine("ada")
        let open = try NotesServer(["HUB_NOTES_SERVER_WITHOUT_ACCOUNT": "open"])
        _ = try await open.machine("ada")
        for (url, code) in [(server.url, "authentication failed"), (open.url, "syncs with accounts only")] {
            let hub = try NotesHub()
            let run = await hub.run("notes servers add home \(url)", isTerminal: false)
            #expect(run.exit != 0 && run.all.contains(code), "\(run.all)")
            #expect(await hub.run("notes servers list", isTerminal: false).output.isEmpty)
        }
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a shared note reaches the other person, and no other note does`(_ store: ServerStoreImplementation)
        async throws
    {
        let server = try NotesServer(try await store.variables())
        let (ada, bob) = (try await server.machine("ada"), try await server.machine("bob"))
        await ada.run("notes new Shared -m milk")
        await ada.run("notes new Private -m secret")
        await sync(ada)
        await sync(bob)
        #expect(await bob.run("notes list --json=name", isTerminal: false).output.contains("Shared") == false)
        await ada.run("notes share shared bob")
        await sync(ada)
        await sync(bob)
        #expect(await text(bob, "shared") == "milk")
        await bob.run("notes append shared eggs")
        await sync(bob)
        await sync(ada)
        #expect(await text(ada, "shared") == "milk\neggs")
        #expect(await bob.run("notes list --json=name", isTerminal: false).output.contains("Private") == false)
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `who can only read gets each change, and what they change stays with them`(_ store: ServerStoreImplementation)
        async throws
    {
        let server = try NotesServer(try await store.variables())
        let (ada, bob) = (try await server.machine("ada"), try await server.machine("bob"))
        await ada.run("notes new Shared -m milk")
        await ada.run("notes share shared bob --read-only")
        await sync(ada)
        await sync(bob)
        #expect(await bob.run("notes show shared").output.contains("bob (read-only)"))
        let refused = await bob.run("notes append shared eggs")
        #expect(refused.exit != 0 && refused.messages.contains("lets you only read it"), "\(refused.all)")
        await bob.run("notes tag shared own")
        let kept = await bob.run("notes sync")
        #expect(kept.exit == 2 && kept.all.contains("lets you only read it"), "\(kept.all)")
        await bob.run("notes untag shared own")
        await ada.run("notes append shared bread")
        await sync(ada)
        await sync(bob)
        #expect(await text(bob, "shared") == "milk\nbread")
        #expect(await ada.run("notes show shared --json=tags", isTerminal: false).output.contains("own") == false)
        await ada.run("notes share shared bob")
        await sync(ada)
        await sync(bob)
        #expect(await bob.run("notes append shared eggs").exit == 0)
        await sync(bob)
        await sync(ada)
        #expect(await text(ada, "shared") == "milk\nbread\neggs")
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `who has lost access asks for it, and the owner's machine answers`(_ store: ServerStoreImplementation)
        async throws
    {
        let server = try NotesServer(try await store.variables())
        let (ada, bob) = (try await server.machine("ada"), try await server.machine("bob"))
        await ada.run("notes new Plans -m milk")
        await ada.run("notes share plans bob")
        await sync(ada)
        await sync(bob)
        await ada.run("notes unshare plans bob")
        await sync(ada)
        await sync(bob)
        let watch = Task { await ada.run("notes watch") }
        while await !ada.run("notes status").output.contains("connected") { await Task.yield() }
        let asked = await bob.run("notes unlock plans -m 'for Monday'")
        #expect(asked.exit == 0, "\(asked.all)")
        while await !ada.run("notes requests").output.contains("for Monday") { await Task.yield() }
        let allowed = await ada.run("notes requests allow bob")
        #expect(allowed.exit == 0, "\(allowed.all)")
        watch.cancel()
        _ = await watch.value
        #expect(await server.hub.run("notes server status --json=requests", isTerminal: false).output.contains("0"))
        await ada.run("notes append plans bread")
        await sync(ada)
        await sync(bob)
        #expect(await text(bob, "plans") == "milk\nbread")
    }

    // MARK: Older copies

    /// What each of two machines, and the server's own hub if it has the notes, show of a note, once all have synced.
    private func texts(of note: String, _ machines: [NotesHub], _ server: NotesServer?) async -> Set<String> {
        for _ in 0..<2 { for machine in machines { await sync(machine) } }
        var texts: Set<String> = []
        if let server { texts.insert(await text(server.hub, note)) }
        for machine in machines { texts.insert(await text(machine, note)) }
        return texts
    }

    @Test(arguments: [true, false], ServerStoreImplementation.allCases)
    func `a machine that goes on with an older store loses and mixes nothing`(
        isRestored: Bool, store: ServerStoreImplementation
    ) async throws {
        let server = try NotesServer(try await store.variables())
        let owner = store == .sqlite ? server : nil
        let (ada, other) = (try await server.machine("ada"), try await server.machine("ada"))
        await ada.run("notes new D -m 'day 1'")
        await sync(ada)
        let data = ada.folder + "/.local/share/hub/hub.db"
        await ada.run("backup \(ada.folder)/b.db")
        let old = try await BackgroundThread.run { try BoundedFile.read(data, limit: 1 << 24) }
        await ada.run("notes append d 'day 2 written and synced'")
        await sync(ada)
        if isRestored {
            let restored = await ada.run("restore \(ada.folder)/b.db --yes")
            #expect(restored.exit == 0, "\(restored.all)")
        } else {
            // The snapshot of a disk: nothing but the server tells that it is older.
            try overwrite(data, with: old)
        }
        await ada.run("notes append d 'day 3 typed offline'")
        let texts = await texts(of: "d", [ada, other], owner)
        #expect(texts.count == 1, "\(texts)")
        let lines = Set(texts.first?.split(separator: "\n") ?? [])
        #expect(lines == ["day 1", "day 2 written and synced", "day 3 typed offline"])
        // It goes on, and so does the history.
        await ada.run("notes append d 'day 4'")
        #expect(await self.texts(of: "d", [ada, other], owner).allSatisfy { $0.hasSuffix("day 4") })
        await ada.run("undo")
        #expect(await self.texts(of: "d", [ada, other], owner) == texts)
        let checked = await ada.run("doctor")
        #expect(checked.exit == 0, "\(checked.all)")
    }

    @Test func `a server that is restored gets back what it has lost`() async throws {
        let server = try NotesServer()
        let ada = try await server.machine("ada")
        await server.hub.run("notes new L -m 'owner 1'")
        await server.hub.run("notes share l ada")
        await sync(ada)
        await server.hub.run("backup \(server.hub.folder)/b.db")
        await server.hub.run("notes append l 'owner 2'")
        await sync(ada)
        await ada.run("notes append l 'ada 1'")
        await sync(ada)
        await server.restart {
            let restored = await server.hub.run("restore \(server.hub.folder)/b.db --yes")
            #expect(restored.exit == 0, "\(restored.all)")
            await server.hub.run("notes append l 'another owner 2'")
        }
        let texts = await texts(of: "l", [ada], server)
        #expect(texts.count == 1, "\(texts)")
        let lines = Set(texts.first?.split(separator: "\n") ?? [])
        #expect(lines == ["owner 1", "owner 2", "ada 1", "another owner 2"])
    }
}
