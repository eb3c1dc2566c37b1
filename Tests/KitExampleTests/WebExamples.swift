import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Storage
import Sync
import TestSupport
import Testing
import WebServer
import WebSocket

// example
enum PantryRoutes {
    static let all = [
        // The same output as a command's, as JSON.
        Route(.get, "/api/pantry", summary: "list jars") { (pantry: Pantry, request: RouteRequest) in
            let limit = try request.number("limit", in: 1...1000) ?? 100
            let jars = try await pantry.store.read { try $0.jars() }
            return .output(.list(Array(jars.prefix(limit)), PantryCommands.fields))
        },
        Route(.post, "/api/pantry", summary: "add a jar") { (pantry: Pantry, request) in
            let json = try request.json(example: #"{"name": "Plum", "grams": 300}"#)
            let (name, grams) = (try json.text("name"), try json.number("grams", in: 0...10_000))
            let jar = try await pantry.store.write(request.operation) { try $0.addJar(name, grams: grams) }
            return .created(.record(jar, PantryCommands.fields), location: "/api/pantry/\(jar.id)")
        },
        // Bytes of known length, of which clients may ask for a range.
        Route(.get, "/api/pantry/label", summary: "the label of jars") { (_: Pantry, _) in
            let label = Array("Jar".utf8)
            return .content(
                RouteContent(length: label.count, contentType: "text/plain", version: "1") { Array(label[$0]) })
        },
        // Server-sent events.
        Route(.get, "/api/pantry/news", summary: "changes of jars") { (pantry: Pantry, _) in
            .events { send in
                for await _ in pantry.context.bus.changes(of: ["domain.pantry/*"]) {
                    try await send(RouteEvent(name: "changed", data: "jars"))
                }
            }
        },
        Route(.get, "/api/pantry/scale", summary: "weights while the page is open") { (_: Pantry, _) in
            .webSocket(
                RouteWebSocket(subprotocols: ["scale"]) { (peer: any WebSocketPeer) in
                    while let message = await peer.receive() { peer.send(message) }
                })
        },
        // A large file in pieces.
        Route(.put, "/api/pantry/upload/{id}", summary: "send a part of a file") { (pantry: Pantry, request) in
            let uploads = UploadFolder(
                pantry.context.directories.cache + "/uploads", clock: pantry.context.clock, limit: 1 << 30)
            let offset = try request.number("offset", in: 0...(1 << 30)) ?? 0
            let (bytes, id) = (request.body, try request.id)
            let size = try await BackgroundThread.run { try uploads.add(bytes, to: id, at: offset) }
            return .output(.done("\(size) bytes"))
        },
    ]
}
// end

// example
enum PantryPage {
    static let page = PageDeclaration(
        icon: #"<path d="M7 3h10v3H7zM6 8h12v12H6z"/>"#, content: Array("<article></article>".utf8),
        modules: [("pantry", Array("export {};".utf8))],
        firstUse: FirstUse(
            "Your jars", text: "Keep an eye on your stock.", steps: [.init("Add a jar", path: "/pantry?view=new")]
        ) { (pantry: Pantry) in try await pantry.store.read { try $0.jars() }.isEmpty },
        additions: [
            QuickAddition(
                "Jar", icon: "add", label: "Name", .send(path: "/api/pantry/jars", body: #"{"name": "$text"}"#))
        ],
        shares: [
            ShareTarget(
                "New jar", icon: "add", path: "/api/pantry/jars", .text(body: #"{"name": "$title"}"#))
        ])
}
// end

// example
enum PantryListener {
    /// For scales on the network. It is off until a setting says where it listens.
    static let declaration = ListenerDeclaration(
        "scales", summary: "weights from scales",
        routes: [
            ListenerRoute("POST", "/weigh/{jar}") { (_: Pantry, request: ListenerRequest) in
                ListenerResponse.json(#"{"client": "\#(request.client ?? "")"}"#)
            }
        ],
        sockets: [
            WebSocketEndpoint("/live") { (_: Pantry, _, peer) in
                while let message = await peer.receive() { peer.send(message) }
            }
        ], authenticate: { (_: Pantry, request) in request.bearerToken == "secret" ? "kitchen" : nil },
        isOn: { _ in false }
    ) { (_: Pantry) in
        ListenerSettings(address: "127.0.0.1:3000")
    }
}
// end

// example
enum PantryShelf {
    /// The jars as cards for phones. `PantryCards` lists, merges and removes them.
    static let declaration = CollectionDeclaration(.addressBook, id: "jars", title: "Jars") {
        (_: Pantry) in PantryCards()
    }
}
// end

// example
enum PantryRecipes {
    /// The recipes as files for laptops. `RecipeFiles` finds, writes and removes them.
    static let declaration = FolderDeclaration(.notes) { (_: Pantry) in RecipeFiles() }
}
// end

/// Documents that are nowhere.
struct RecipeFiles: ServedDocuments {
    var merges: Bool { true }
    func takes(_ name: String, size: Int) -> Bool { name.hasSuffix(".md") }
    func state() async throws -> ServedState { ServedState(epoch: "epoch", number: 0) }
    func documents(in folder: [String]) async throws -> (files: [ServedFile], folders: [String]) { ([], []) }
    func content(at path: [String]) async throws -> ServedContent? { nil }
    func document(at path: [String]) async throws -> ServedFile? { nil }
    func write(_ write: ServedWrite) async throws -> ServedFileResult {
        .forbidden("recipes are not written on laptops")
    }
    func remove(
        _ path: [String], if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedFileResult { .missing }
    func move(
        _ path: [String], to target: [String], by author: ServedAuthor
    ) async throws -> ServedFileResult { .missing }
}

/// A collection that has nothing.
struct PantryCards: ServedCollection {
    func state() async throws -> ServedState { ServedState(epoch: "epoch", number: 0) }
    func count() async throws -> Int { 0 }
    func entries(after name: String?, limit: Int) async throws -> [ServedEntry] { [] }
    func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] { [] }
    func items(named names: [String]) async throws -> [ServedItem] { [] }
    func put(_ put: ServedPut) async throws -> ServedPutResult { .invalid("jars are not made on phones") }
    func remove(_ name: String, if condition: ServedCondition, by author: ServedAuthor) async throws -> ServedRemoval {
        .missing
    }
    func renumber(_ name: String) async throws {}
}

/// Routes, the page, listeners for other programs, and collections for devices.
struct WebExamples {
    private let hub: TestHub

    init() throws { hub = try TestHub(Pantry.self) }

    @Test func `a collection is opened with its plugin`() async throws {
        #expect(try await PantryShelf.declaration.open(hub.hub()).state().number == 0)
    }

    @Test func `routes answer like commands`() async throws {
        let added = try await hub.request(.post, "/api/pantry", #"{"name": "Plum", "grams": 300}"#)
        #expect(added.status == 201)
        #expect(try await hub.request(.get, "/api/pantry?limit=1").text.contains("Plum"))
        #expect(try await hub.request(.put, "/api/pantry/upload/abcdefgh", "plum").text.contains("4 bytes"))
        let error = await #expect(throws: HubError.self) {
            try await hub.request(.post, "/api/pantry", #"{"name": "Plum"}"#)
        }
        #expect(error?.problems.map(\.field) == ["grams"])
    }

    @Test func `content has a length and ranges`() async throws {
        let host = hub.hub()
        let route = try #require(PantryRoutes.all.first { $0.pattern.hasSuffix("label") })
        let request = RouteRequest(captures: [:], query: [:], ifMatch: nil, body: [], operation: Operation("test"))
        guard case .content(let content) = try await route.answer(host, request) else {
            Issue.record("the route answers with content")
            return
        }
        #expect(String(decoding: try await content.read(1..<3), as: UTF8.self) == "ar")
        await host.openedDatabase?.close()
    }

    @Test func `a listener knows its clients by their tokens`() async throws {
        let host = hub.hub()
        let declaration = PantryListener.declaration
        var request = ListenerRequest(
            method: "POST", path: "/weigh/plum", captures: ["jar": "plum"],
            headers: ["authorization": "Bearer secret"])
        request.client = try await declaration.authenticate?(host, request)
        let response = try await declaration.routes[0].answer(host, request)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"client": "kitchen"}"#)
        #expect(try declaration.settings(host)?.address == "127.0.0.1:3000" && !declaration.isOn(host))
        #expect(try await PantryPage.page.firstUse?.isEmpty(host) == true)
        await host.openedDatabase?.close()
    }
}
