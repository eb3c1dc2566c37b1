import Commands
import Contacts
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import Notes
import Storage
import Testing

@testable import HubRuntime

/// The tools of `hub mcp` and its protocol.
@MainActor
struct AssistantTests {
    private let test: TestHub
    private let hub: Hub
    private let shopping: String
    private let ada: String
    private let read: String

    init() async throws {
        let test = try TestHub(ContactsPlugin.self, NotesPlugin.self, MarketPlugin.self, MinteePlugin.self)
        _ = await test.run("notes new Shopping -m '- bread'")
        _ = await test.run("contacts new 'Ada Lovelace' phone=+48601234567")
        _ = await test.run("mintee new Read --on 'daily: x >= 20'")
        @MainActor func id(_ line: String) async -> String {
            String((await test.run(line + " --plain=id")).output.split(separator: "\n").first ?? "")
        }
        shopping = await id("notes list")
        ada = await id("contacts list")
        read = await id("mintee list")
        hub = test.hub()
        self.test = test
    }

    private func server(_ allowed: Set<String> = []) throws -> MCPServer {
        MCPServer(try Assistant(hub, root: test.root, allowed: allowed), clock: test.clock)
    }

    private func ask(_ server: inout MCPServer, _ line: String) async -> JSONValue? {
        await server.answer(Array(line.utf8))
    }

    /// Calls a tool, and returns its result.
    private func call(_ server: inout MCPServer, _ name: String, _ arguments: String) async -> JSONValue {
        let line =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
        return await ask(&server, line)?["result"]?["structuredContent"] ?? .null
    }

    private func modern(_ method: String, _ members: String = "", version: String = "2026-07-28") -> String {
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","io.modelcontextprotocol/clientCapabilities":{},"#
            + #""io.modelcontextprotocol/clientInfo":{"name":"Claude Code!","version":"1"}}"#
        return #"{"jsonrpc":"2.0","id":"m","method":"\#(method)","params":{\#(meta)\#(members)}}"#
    }

    // MARK: Protocol

    @Test func `a client may discover and shake hands in any order, and each generation gets its own form`()
        async throws
    {
        var server = try server()
        let discovered = try #require(await ask(&server, modern("server/discover"))?["result"])
        #expect(discovered["resultType"]?.string == "complete" && discovered["cacheScope"]?.string == "private")
        #expect(discovered["supportedVersions"]?.array?.first?.string == "2026-07-28")
        for (asked, given) in [
            ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"),
            ("1", "2025-11-25"),
        ] {
            let line =
                #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{}}}"#
            let result = try #require(await ask(&server, line)?["result"])
            #expect(result["protocolVersion"]?.string == given && result["resultType"] == nil)
        }
        let old = await ask(&server, #"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#)
        let new = await ask(&server, modern("tools/list"))
        #expect(old?["id"] == .number("7") && old?["result"]?["ttlMs"] == nil)
        #expect(new?["id"] == .string("m") && new?["result"]?["ttlMs"]?.integer ?? -1 >= 0)
        #expect(old?["result"]?["tools"] == new?["result"]?["tools"])
        #expect(await ask(&server, #"{"jsonrpc":"2.0","id":8,"method":"ping"}"#)?["result"] == .object([]))
    }

    private static let wrongMessages = [
        ("{", "null", -32700), ("[]", "null", -32600), (#"{"jsonrpc":"2.0","id":1}"#, "1", -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "null", -32600),
        (#"{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage"}"#, "2", -32601),
        (#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"rm"}}"#, "3", -32602),
        (#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search","arguments":[]}}"#, "4", -32602),
        (#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"x"}}"#, "5", -32602),
        (#"{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, "6", -32002),
        (
            #"{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"hub:notes/0a000000000000000000"}}"#,
            "7", -32002
        ),
    ]

    @Test func `a wrong message gets its error, and the next one is answered`() async throws {
        var server = try server()
        for (line, id, code) in Self.wrongMessages {
            let answer = await ask(&server, line)
            #expect(
                answer?["id"]?.line == id && answer?["error"]?["code"]?.integer == code, "\(answer?.line ?? "nothing")")
            #expect(await ask(&server, #"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)?["result"] != nil)
        }
    }

    @Test func `notifications and answers get no answer, and an unknown revision is named`() async throws {
        var server = try server()
        #expect(await ask(&server, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == nil)
        #expect(await ask(&server, #"{"jsonrpc":"2.0","id":1,"result":{}}"#) == nil)
        let unknown = await ask(&server, modern("tools/list", version: "2031-01-01"))
        #expect(unknown?["error"]?["code"]?.integer == -32022)
        #expect(unknown?["error"]?["data"]?["requested"]?.string == "2031-01-01")
        #expect(await ask(&server, modern("ping"))?["error"]?["code"]?.integer == -32601)
    }

    // MARK: Tools

    @Test func `the tools are few, small, fully described and always in one order`() async throws {
        let assistant = try Assistant(hub, root: test.root, allowed: ["contacts", "notes", "market", "mintee"])
        let list = JSONValue.array(assistant.tools.map(\.json)).line
        #expect(list.utf8.count < 24_000 && assistant.tools.count <= 20, "\(list.utf8.count)")
        let names = assistant.tools.map(\.name)
        #expect(
            names == [
                "search", "show", "list", "today", "changes", "tag", "trash", "restore", "undo", "contact_create",
                "contact_set", "note_create", "note_append", "note_edit", "habit_set", "habit_done", "habit_skip",
            ])
        for tool in assistant.tools {
            #expect(tool.name.wholeMatch(of: /[a-z_]{1,32}/) != nil)
            guard case .object(let hints)? = tool.json["annotations"] else { continue }
            #expect(hints.count == 4, "\(tool.name)")
        }
        #expect(try Assistant(hub, root: test.root, allowed: []).tools.map(\.name) == Array(names.prefix(5)))
        #expect(
            try Assistant(hub, root: test.root, allowed: ["mintee"]).tools.map(\.name).contains("note_append") == false)
        // Each list is a command that only reads, and each tool one that changes something; their options exist.
        for descriptor in try hub.enabledDescriptors() {
            func command(_ words: [String]) -> Command? {
                words.reduce(descriptor.command as Command?) { $0?.subcommand(named: $1) }
            }
            for list in descriptor.tools.lists { #expect(command(list.command)?.changes == false, "\(list.kind)") }
            for tool in descriptor.tools.tools {
                #expect(command(tool.command)?.changes == true, "\(tool.name)")
                for option in tool.parameters.compactMap(\.option) {
                    #expect(command(tool.command)?.option(named: option) != nil, "\(tool.name) \(option)")
                }
            }
        }
    }

    @Test func `everything can be found and read`() async throws {
        var server = try server()
        let found = await call(&server, "search", #"{"words":"shop"}"#)
        #expect(found["items"]?.array?.first?["ref"]?.string == "notes:\(shopping)", "\(found.line)")
        let shown = await call(&server, "show", #"{"ref":"notes:\#(shopping)"}"#)
        #expect(
            shown["content"]?.string == "- bread" && shown["text_part"] == nil, "\(shown.line)"
        )
        for kind in [
            "contacts", "groups", "birthdays", "notes", "tasks", "due", "prices", "portfolio", "trades", "alerts",
        ] {
            let rows = await call(&server, "list", #"{"kind":"\#(kind)","limit":5}"#)
            #expect(rows["items"]?.array != nil, "\(kind): \(rows.line)")
        }
        #expect(await call(&server, "today", "{}")["items"]?.array?.isEmpty == false)
        let changes = await call(&server, "changes", #"{"ref":"contacts:\#(ada)"}"#)
        #expect(changes["items"]?.array?.count == 1 && changes["items"]?.array?[0]["who"]?.string == "you")
        let none = await call(&server, "search", #"{"words":"zzz"}"#)
        #expect(none["items"] == .array([]) && none["remarks"] != nil)
        #expect(try await hub.database().history.operations(limit: 10).count == 3)
    }

    @Test func `each change is one operation of the assistant, which it can undo, and others it cannot`() async throws {
        var server = try server(["notes", "contacts", "mintee"])
        _ = await ask(
            &server, #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"Claude Code"}}}"#)
        let calls = [
            ("note_append", #"{"id":"notes:\#(shopping)","text":"--yes\n- oat milk"}"#),
            ("note_create", #"{"title":"Trip","text":"Ferry","tags":["travel","sea"]}"#),
            ("contact_create", #"{"name":"Jo Doe","fields":["email=jo@example.org"]}"#),
            ("contact_set", #"{"id":"\#(ada)","fields":["org=Engines"]}"#),
            ("habit_set", #"{"id":"\#(read)","value":12}"#), ("habit_done", #"{"id":"\#(read)"}"#),
            ("habit_skip", #"{"id":"\#(read)","date":"2026-11-21","why":"a cold"}"#),
            ("tag", #"{"ref":"notes:\#(shopping)","add":["home"]}"#),
            ("trash", #"{"refs":["contacts:\#(ada)"]}"#),
        ]
        var operations: [String] = []
        for (name, arguments) in calls {
            let plan = await call(&server, name, arguments.dropLast() + #","dry_run":true}"#)
            #expect(plan["operation"] == .null, "\(name): \(plan.line)")
            let result = await call(&server, name, arguments)
            operations.append(try #require(result["operation"]?.string, "\(name): \(result.line)"))
        }
        let history = try await hub.database().history.operations(limit: 100)
        #expect(history.count == 3 + calls.count)
        #expect(history.prefix(calls.count).allSatisfy { $0.who.text == "assistant:claude-code" })
        #expect(Set(history.prefix(calls.count).map(\.id)) == Set(operations))
        let text = await call(&server, "show", #"{"ref":"notes:\#(shopping)"}"#)["content"]?.string
        #expect(text == "- bread\n--yes\n- oat milk")
        for operation in operations.reversed() {
            let undone = await call(&server, "undo", #"{"operation":"\#(operation)"}"#)
            #expect(undone["operation"]?.string == operation, "\(undone.line)")
        }
        #expect(await call(&server, "list", #"{"kind":"contacts"}"#)["items"]?.array?.count == 1)
        let own = try #require(try await hub.database().history.operations(limit: 100, by: .person).first)
        #expect(await call(&server, "undo", #"{"operation":"\#(own.id)"}"#)["error"]?["code"]?.string == "not-own")
    }

    @Test func `a passage of a note is replaced where it stands once, and the change can be undone`() async throws {
        var server = try server(["notes"])
        let made = await call(&server, "note_create", #"{"title":"Trip","text":"Oslo\nBergen\nOslo żółw"}"#)
        let id = try #require(made["id"]?.string, "\(made.line)")
        func text(_ server: inout MCPServer) async -> String? {
            await call(&server, "show", #"{"ref":"notes:\#(id)"}"#)["content"]?.string
        }
        let edit = { (old: String, new: String) in #"{"id":"\#(id)","old":"\#(old)","new":"\#(new)"}"# }
        #expect(await call(&server, "note_edit", edit("Oslo", "Rome"))["error"]?["code"]?.string == "passage-repeated")
        #expect(await call(&server, "note_edit", edit("oslo", "Rome"))["error"]?["code"]?.string == "passage-missing")
        let plan = await call(&server, "note_edit", edit("Oslo ż", "Rome ż").dropLast() + #","dry_run":true}"#)
        #expect(plan["operation"] == .null && plan["error"] == nil, "\(plan.line)")
        let result = await call(&server, "note_edit", edit("Oslo ż", "Rome ż"))
        #expect(await text(&server) == "Oslo\nBergen\nRome żółw")
        let operation = try #require(result["operation"]?.string, "\(result.line)")
        _ = await call(&server, "undo", #"{"operation":"\#(operation)"}"#)
        #expect(await text(&server) == "Oslo\nBergen\nOslo żółw")
        #expect(await call(&server, "note_edit", edit("Oslo\\nB", "-B"))["operation"]?.string != nil)
        #expect(await text(&server) == "-Bergen\nOslo żółw")
    }

    @Test func `what the person hides does not exist for an assistant`() async throws {
        await test.run("notes new Diary -m 'zebra' --folder Private/2026 --tag week")
        await test.run("notes new Secret -m 'zebra' --tag hidden")
        await test.run("notes new Open -m 'zebra' --tag week")
        await test.run("notes new Gone -m 'zebra' --tag hidden")
        await test.run("notes rm Gone --yes")
        await test.run("config set hub.assistants.hide 'tag:Hidden,folder:private,contacts:\(ada.prefix(8))'")
        let listed = try JSONReader.read(Array((await test.run("notes list --json")).output.utf8)).array ?? []
        let ids = Dictionary(
            listed.compactMap { note in note["name"]?.string.flatMap { name in note["id"]?.string.map { (name, $0) } } }
        ) { $1 }
        var server = try MCPServer(
            Assistant(test.hub(), root: test.root, allowed: ["notes", "contacts"]), clock: test.clock)
        let found = await call(&server, "search", #"{"words":"zebra"}"#)["items"]?.array ?? []
        #expect(found.compactMap { $0["title"]?.string } == ["Open"])
        let notes = await call(&server, "list", #"{"kind":"notes"}"#)
        #expect(Set(notes["items"]?.array?.compactMap { $0["name"]?.string } ?? []) == ["Open", "Shopping"])
        #expect(notes["left_out"] == nil)
        #expect(await call(&server, "list", #"{"kind":"contacts"}"#)["items"]?.array?.isEmpty == true)
        let changes = await call(&server, "changes", #"{"limit":50}"#).line
        #expect(changes.contains("notes new Open") && changes.contains("notes new Shopping"))
        for hidden in ["Diary", "Secret", "Gone", "Ada"] { #expect(!changes.contains(hidden), "\(hidden)") }
        let open = try #require(ids["Open"])
        #expect(await call(&server, "show", #"{"ref":"notes:\#(open)"}"#)["content"]?.string == "zebra")
        let secret = try #require(ids["Secret"])
        for (name, arguments) in [
            ("show", #"{"ref":"notes:\#(secret)"}"#), ("show", #"{"ref":"contacts:\#(ada)"}"#),
            ("changes", #"{"ref":"notes:\#(secret)"}"#), ("note_append", #"{"id":"\#(secret)","text":"x"}"#),
            ("trash", #"{"refs":["notes:\#(secret)"]}"#), ("tag", #"{"ref":"notes:\#(secret)","remove":["hidden"]}"#),
        ] {
            #expect(await call(&server, name, arguments)["error"]?["code"]?.string == "not-found", "\(name)")
        }
        // A name could be that of a hidden item, and an error would list its neighbours.
        #expect(await call(&server, "show", #"{"ref":"notes:Sec"}"#)["error"]?["code"]?.string == "argument-invalid")
        await test.run("config set hub.assistants.hide tags:private")
        #expect(throws: HubError.self) { try Assistant(test.hub(), root: test.root, allowed: []) }
    }

    private static let wrongCalls = [
        ("search", "{}"), ("search", #"{"words":"a","more":1}"#), ("search", #"{"words":"a","limit":51}"#),
        ("list", #"{"kind":"secrets"}"#), ("show", #"{"ref":"notes:nothing"}"#), ("show", #"{"ref":"config"}"#),
        ("note_append", #"{"id":"Shopping","text":"x"}"#),
        ("note_append", #"{"id":"0a000000000000000000","text":"-"}"#),
        ("note_create", #"{"title":""}"#), ("note_create", #"{"title":"x","template":"y"}"#),
        ("note_edit", #"{"id":"0a000000000000000000","old":"x","new":"y"}"#),
        ("contact_set", #"{"id":"0a000000000000000000","fields":["org=x"]}"#),
        ("habit_set", #"{"id":"0a000000000000000000","value":1e999}"#),
        ("trash", #"{"refs":["contacts:Ada"]}"#), ("trash", #"{"refs":["mintee:0a000000000000000000"]}"#),
        ("trash", #"{"refs":["accounts:0a000000000000000000"]}"#), ("tag", #"{"ref":"notes:0a000000000000000000"}"#),
        ("undo", #"{"operation":"0a000000000000000000"}"#),
    ]

    @Test func `what is not allowed or not as described is an error, and changes nothing`() async throws {
        var server = try server(["notes", "contacts"])
        var habits = try self.server(["mintee"])
        for (name, arguments) in Self.wrongCalls {
            let result =
                name == "habit_set"
                ? await call(&habits, name, arguments) : await call(&server, name, arguments)
            #expect(result["error"]?["message"]?.string?.isEmpty == false, "\(name) \(arguments): \(result.line)")
            #expect(result["error"]?["code"]?.string != "internal", "\(name) \(arguments): \(result.line)")
        }
        #expect(try await hub.database().history.operations(limit: 10).count == 3)
    }

    @Test func `hidden characters are written out, long texts come in parts, and a client that runs wild is stopped`()
        async throws
    {
        var server = try server(["notes"])
        #expect(AssistantText.visible("a\u{202E}b\u{E0041}\u{200B}👩‍👩‍👧\n") == "a<U+202E>b<U+E0041><U+200B>👩‍👩‍👧\n")
        let long = String(repeating: "żółw ", count: 6000)
        let made = await call(&server, "note_create", #"{"title":"Long","text":"\#(long)"}"#)
        let id = try #require(made["id"]?.string, "\(made.line)")
        var (text, offset): (String, Int?) = ("", 0)
        while let start = offset {
            let part = await call(&server, "show", #"{"ref":"notes:\#(id)","offset":\#(start)}"#)
            #expect(part.line.utf8.count < 32_000)
            text += part["content"]?.string ?? ""
            offset = part["text_part"]?["next_offset"]?.integer
        }
        #expect(text.utf8.count >= long.utf8.count - 1 && text.hasPrefix("żółw żółw"))
        var last = JSONValue.null
        for _ in 0..<60 { last = await call(&server, "undo", #"{"operation":"0a000000000000000000"}"#) }
        #expect(last["error"]?["code"]?.string == "too-many-calls")
        #expect(await call(&server, "today", "{}")["error"] == nil)
    }
}
