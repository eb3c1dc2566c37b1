import Commands
import HubKit
import HubKitTesting
import Storage
import Synchronization
import Testing

// example
/// The body of `domain.pantry/jar-opened`: from its declaration come the topic's page, what writes it, and what reads it.
struct JarOpened: EventBody {
    var name: String
    var grams: Int
    var notify: EventNotification

    static let example = JarOpened(
        name: "Plum", grams: 200, notify: EventNotification("Plum is open", "200 g are left"))

    static let event = EventType(
        "domain.pantry/jar-opened", "A jar was opened.", subject: "jar id", like: "7kt",
        fields: [
            EventField("name", \JarOpened.name, upTo: 100, "The name of the jar."),
            EventField("grams", \JarOpened.grams, "What is left, in grams."),
            EventField("notify", \JarOpened.notify, "The title and body of a desktop notification."),
        ])
}

enum PantryEvents {
    static let opened: Topic = JarOpened.event.topic
    static let declarations: [TopicDeclaration] = [JarOpened.event.declaration]
}

extension Transaction {
    /// Notes that a jar was opened, in the commit of the change.
    func emitOpened(_ jar: Jar) throws {
        let body = JarOpened(
            name: jar.name, grams: jar.grams,
            notify: EventNotification("\(jar.name) is open", "\(jar.grams) g are left"))
        let event: Event = JarOpened.event(body, of: jar.id)
        try emit(event)
    }
}
// end

// example
/// A number with a fraction is kept as it is written.
struct ScaleRead: EventBody {
    var kilograms: EventNumber

    static let example = ScaleRead(kilograms: EventNumber("0.305"))

    static let event = EventType(
        "gate.pantry/scale-read", "A scale was read.", subject: "scale", like: "kitchen",
        fields: [EventField("kilograms", \ScaleRead.kilograms, "What lies on it, in kilograms.")])
}
// end

// example
extension PantryEvents {
    /// Adds an empty jar for each one that was opened. The number of the event makes the name unique, since it may come twice.
    static let flow = FlowDeclaration(
        "refill-jars", summary: "plan a new jar for each opened one", on: ["domain.pantry/jar-opened"],
        isOnByDefault: false
    ) { (pantry: Pantry, event: StoredEvent, _) in
        let name = try JarOpened(event.event).name
        try await pantry.store.write(Operation("pantry refill", who: .service("flow"))) { transaction in
            let planned = "\(name) \(event.sequence)"
            guard try transaction.jars("WHERE name = ?", [planned]).isEmpty else { return }
            _ = try transaction.addJar(planned, grams: 0)
        }
    }

    /// The button of the notification.
    static let actions = NotificationActions(
        of: opened, [.init("close", "Close")], instruction: { "hub pantry close \($0.subject)" }
    ) { (pantry: Pantry, event, button) in
        pantry.context.log.info("\(button) \(event.subject)")
    }
}
// end

/// Events: declaring, publishing, following.
struct EventExamples {
    private let bus = EventBus()
    private let database: Database
    private let pantry: Pantry

    init() {
        let bus = bus
        database = Database(at: .memory, plugins: [PantrySchema.schema], clock: FixedClock(), executors: .queues)
        database.onCommit { bus.announce(.some($0)) }
        pantry = Pantry(context: .testing(database.store(for: "pantry"), clock: FixedClock(), bus: bus))
    }

    private func open() async throws -> [StoredEvent] {
        try await pantry.store.write(Operation("pantry open")) { transaction in
            try transaction.emitOpened(try transaction.addJar("Plum", grams: 200))
        }
        return try await database.store(for: "core").read { transaction in
            try transaction.recentEvents(matching: [.everything], since: nil, limit: 10)
        }
    }

    @Test func `an event is published in the commit of its change`() async throws {
        let events = try await open()
        #expect(events.map(\.topic) == [PantryEvents.opened])
        #expect(try JarOpened(events[0].event).grams == 200)
        #expect(EventNotification(try events[0].event.fields())?.title == "Plum is open")
    }

    @Test func `a flow takes an event twice and acts once`() async throws {
        struct Host: PluginHost {
            let pantry: Pantry
            func plugin<P: Sendable>(_ type: P.Type) throws -> P { try #require(pantry as? P) }
        }
        let event = try #require(try await open().first)
        let subscriber = try PantryEvents.flow.subscriber(Host(pantry: pantry))
        for _ in 0..<2 { try await subscriber.handle(event) }
        #expect(try await pantry.store.read { try $0.jars() }.map(\.name) == ["Plum", "Plum \(event.sequence)"])
    }

    @Test func `a number keeps its digits`() throws {
        let event = ScaleRead.event(ScaleRead(kilograms: EventNumber("0.300")), of: "kitchen")
        #expect(try ScaleRead(event).kilograms.text == "0.300")
    }

    @Test func `views follow topics`() async throws {
        // example
        let pattern: TopicPattern = "domain.pantry/*"
        #expect(pattern.matches(PantryEvents.opened))

        // What changes in the meantime comes with the next call, as one set.
        let bus: EventBus = pantry.context.bus
        let changes: ChangeNotifier = bus.changes(of: [pattern])
        var news = changes.makeAsyncIterator()
        // end
        _ = try await open()
        #expect(await news.next() == .some([PantryEvents.opened]))
    }

    @Test func `a signal wakes a service that waits for work`() async {
        // example
        let work = AsyncSignal()
        work.wake()
        work.wake()  // counts once
        #expect(await work.wait(clock: SystemClock()))
        // end
    }
}
