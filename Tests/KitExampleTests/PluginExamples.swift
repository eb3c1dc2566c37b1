import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Storage
import Testing

// example
struct Pantry: Plugin {
    let context: Context
    var store: Store { context.store }

    init(context: Context) { self.context = context }

    static let descriptor = PluginDescriptor(
        id: "pantry", title: "Pantry", summary: "jars", content: "jars", firstStep: "hub pantry new Plum",
        configKeys: PantryKeys.all, schema: PantrySchema.schema, command: PantryCommands.tree,
        services: PantryServices.services, daily: PantryServices.daily, page: PantryPage.page, routes: PantryRoutes.all,
        listeners: [PantryListener.declaration], emits: PantryEvents.declarations, flows: [PantryEvents.flow],
        notificationActions: [PantryEvents.actions], providers: PantryProviders.all, checks: PantryServices.checks)
}
// end

// example
enum PantryServices {
    static let services = [
        // Work that is repeated.
        ServiceDeclaration("tidy", summary: "log empty jars", every: .seconds(900), clock: { $0.context.clock }) {
            (pantry: Pantry) in try await pantry.logEmptyJars()
        },
        // A loop of its own.
        ServiceDeclaration("scale", summary: "follow changes of jars") { (pantry: Pantry) in Scale(pantry: pantry) },
    ]

    static let daily = [
        DailyJob("tidy", summary: "log empty jars") { (pantry: Pantry) in try await pantry.logEmptyJars() }
    ]

    static let checks = [
        DoctorCheck("jars") { (pantry: Pantry) in
            let count = try await pantry.store.read { try $0.jars("WHERE grams < 0") }.count
            return count == 0
                ? .fine("no jar has a negative weight")
                : .failure("\(count) jars have a negative weight", remedy: "hub doctor --fix empties them")
        } fix: { pantry in
            try await pantry.store.write(Operation("pantry fix", kind: .cache)) { transaction in
                _ = try transaction.run("UPDATE pantry_jar SET grams = 0 WHERE grams < 0")
            }
        }
    ]
}

struct Scale: Service {
    let pantry: Pantry

    func run() async throws {
        for await _ in pantry.context.bus.changes(of: ["domain.pantry/*"]) { try await pantry.logEmptyJars() }
    }
}

extension Pantry {
    func logEmptyJars() async throws {
        let limit = context.config[PantryKeys.limit]
        for jar in try await store.read({ try $0.jars("WHERE grams < ?", [limit]) }) {
            context.log.notice("\(jar.name) is empty")
        }
    }
}
// end

// example
extension Pantry {
    /// The folder for labels, which can be made again at any time, is one of hub's `Directories`.
    static func labels(_ directories: Directories) -> String { directories.cache + "/labels" }

    /// A `PluginHost` builds plugins when they are asked for, and reads contents of others by reference.
    static func title(of reference: String, in host: any PluginHost) async throws -> String? {
        try await host.content(of: reference)?.title
    }
}
// end

// example
enum PantryProviders {
    static let all = Providers(
        search: search, today: today, sections: [low], content: content, mentions: mentions, sync: sync,
        status: status, theme: theme)

    private static let search = SearchProvider { (pantry: Pantry, words, limit) in
        let sought = words.joined(separator: " ").lowercased()
        return try await pantry.store.read { try $0.jars(matching: sought) }.prefix(limit).map { jar in
            SearchHit(
                id: jar.id, title: jar.name, detail: "\(jar.grams) g",
                match: .init([sought], in: [jar.name.lowercased()]))
        }
    }

    private static let today = TodayProvider { (pantry: Pantry, day) in
        try await pantry.store.read { try $0.jars("WHERE grams = 0") }.map {
            TodayItem(id: $0.id, text: "\($0.name) is empty", detail: "\(day)")
        }
    }

    /// A further section of Today in the web app: nothing is due.
    private static let low = TodaySection("low", title: "Running low") { (pantry: Pantry, _) in
        try await pantry.store.read { try $0.jars("WHERE grams BETWEEN 1 AND 100") }.map {
            TodayItem(id: $0.id, text: $0.name, detail: "\($0.grams) g")
        }
    }

    /// Flows of other plugins read the whole text by reference.
    private static let content = ContentProvider { (pantry: Pantry, id) in
        try await pantry.store.read { try $0.jars("WHERE id = ?", [id]).first }.map {
            ItemContent(title: $0.name, text: "\($0.grams) g")
        }
    }

    /// The page of a jar shows the notes that name it, and a note the jars that it names.
    private static let mentions = MentionProvider(title: "Jars") { (pantry: Pantry, id) in
        try await pantry.store.read { try $0.jars("WHERE id = ?", [id]) }.map(\.name)
    } mentions: { pantry, text in
        try await pantry.store.read { try $0.jars() }.filter { text.contains($0.name) }.map {
            Mention(id: $0.id, name: $0.name)
        }
    }

    private static let sync = SyncProvider { (_: Pantry, input) in
        [SyncResult("scale", input.dryRun ? "would be read" : "up to date", duration: .milliseconds(300))]
    }

    private static let status = StatusProvider { (_: Pantry) in
        [StatusLine("scale", state: "synced", detail: "a minute ago")]
    }

    private static let theme = ThemeProvider(["plain", "plum"]) { (_: Pantry) in
        "plain"
    } choose: { (pantry: Pantry, name, _) in
        pantry.context.log.info("the theme is \(name)")
    }
}
// end

// example
/// What the pantry has in `hub demo`, and what assistants can do with it.
enum PantryOffers {
    static let demo = DemoDeclaration(idleServices: ["scale"]) { (year: DemoYear) -> [DemoStep] in
        var random: DemoRandom = year.random("jars")
        let grams = Int.random(in: 100...900, using: &random)
        return [
            year.step(daysAgo: 30, "18:00") { (pantry: Pantry) in
                _ = try await pantry.store.write(Operation("pantry new")) { try $0.addJar("Plum", grams: grams) }
            }
        ]
    }

    static let tools = ToolDeclarations(
        lists: [ToolList("jars", "jars with their grams", command: "list")],
        tools: [
            ToolDeclaration(
                "jar_create", title: "Add a jar", description: "Adds a jar and returns it.", command: "new",
                isAddition: true,
                parameters: [ToolParameter("name", .text(100), "name of the jar", isRequired: true)])
        ])
}
// end

// example
/// What `hub export` writes of the pantry, and which files open with hub.
enum PantryFiles {
    static let export = ExportDeclaration(
        "`labels/ID.txt`: the label of each jar",
        [
            ExportKind("jars", [ExportTable("pantry_jar", item: "id", omitting: ["name"])]) {
                (item: ItemRows, transaction) in
                let jar = try transaction.jars("WHERE id = ?", [item.id]).first
                return [ExportFile("label", "labels/\(item.id).txt", .bytes(Array((jar?.name ?? "").utf8)))]
            }
        ])

    static let openers = [FileOpener(["jars"], command: "import")]
}
// end

// example
/// What two machines exchange of the pantry besides its documents: words, over a connection of their own.
enum PantryMachines {
    static let exchange = MachineExchange(
        noun: ("word", "words"),
        serve: { (_: Pantry, peer, _) in
            while let message = await peer.receive() { peer.send(message) }
        },
        run: { (_: Pantry, connection: MachineConnection) in
            var report = MachineExchangeReport()
            let channel: any MachineChannel = connection.channel
            channel.send("hello")
            if case .text = await channel.receive() { report.received = 1 }
            channel.close(1000, reason: "")
            return report
        },
        count: { (_: Pantry, _) in (all: 1, waiting: 0) },
        explain: { (_: Pantry, id, machine) in
            [
                ItemExplanation(
                    place: machine, item: "jars/\(id)", base: "as \(machine) had it", here: "as it was",
                    there: "as it was", next: "nothing", why: "both are the same")
            ]
        },
        forget: { (_: Pantry, _) in })

    /// Fetches a photo that may be on another machine alone: as the home of a pair, or as one that has joined.
    static func fetch(_ photo: BlobID, _ absent: any AbsentFiles, or home: any MachineFiles) async throws -> Bool {
        try await absent.fetch(photo)
        if try await absent.places()[photo] == nil { return true }
        return try await home.fetch(photo) != nil
    }
}
// end

/// What a plugin offers to the commands and services that span all plugins.
struct PluginExamples {
    private let hub: TestHub

    init() throws { hub = try TestHub(Pantry.self) }

    @Test func `hub's own commands know the plugin`() async throws {
        await hub.run("pantry new Plum --grams 300")
        await hub.run("pantry new Apple")
        #expect(await hub.run("search plum --plain=title").output == "Plum\n")
        #expect(await hub.run("today").output.contains("Apple is empty"))
        #expect(await hub.run("sync").output.contains("scale"))
        #expect(await hub.run("status").output.contains("a minute ago"))
        #expect(await hub.run("plugins list").output.contains("pantry"))
    }

    @Test func `a step of the demo calls the plugin, at a time of the year`() async throws {
        let host = hub.hub()
        let year = DemoYear(now: hub.clock.now, zone: .utc, seed: 7)
        let step = try #require(PantryOffers.demo.steps(year).first)
        try await step.run(host)
        #expect(step.at < hub.clock.now && PantryOffers.tools.tools.first?.parameters.count == 1)
        #expect(await hub.run("search plum --plain=title").output == "Plum\n")
        await host.openedDatabase?.close()
    }

    @Test func `an export has a file of each jar`() async throws {
        let host = hub.hub()
        let pantry = try host.plugin(Pantry.self)
        let id = try await pantry.store.write(Operation("test")) { try $0.addJar("Plum", grams: 300).id }
        let kind = try #require(PantryFiles.export.kinds.first)
        let files = try await pantry.store.read { try kind.files(try $0.itemRows(id, in: kind.tables), $0) }
        #expect(files.map(\.path) == ["labels/\(id).txt"] && PantryFiles.openers.first?.command == ["import"])
        await host.openedDatabase?.close()
    }

    @Test func `contents are read by reference`() async throws {
        let host = hub.hub()
        let pantry = try host.plugin(Pantry.self)
        let id = try await pantry.store.write(Operation("test")) { try $0.addJar("Plum", grams: 300).id }
        #expect(try await Pantry.title(of: "pantry:\(id)", in: host) == "Plum")
        #expect(Pantry.labels(pantry.context.directories).hasSuffix("/labels"))
        await host.openedDatabase?.close()
    }

    @Test func `a check finds and repairs`() async throws {
        let host = hub.hub()
        let store = try host.plugin(Pantry.self).store
        try await store.write(Operation("test")) { _ = try $0.addJar("Plum", grams: -1) }
        let check = try #require(PantryServices.checks.first)
        #expect("\(try await check.check(host))".hasPrefix("failure"))
        try await check.fix?(host)
        #expect("\(try await check.check(host))".hasPrefix("fine"))
        await host.openedDatabase?.close()
    }

    @Test func `a daily job and the services are made of the plugin`() async throws {
        let host = hub.hub()
        for job in PantryServices.daily { try await job.perform(host) }
        #expect(try PantryServices.services.map { try $0.make(host) }.last is Scale)
        await host.openedDatabase?.close()
    }
}
