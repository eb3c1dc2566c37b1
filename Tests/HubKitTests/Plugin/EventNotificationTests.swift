import HubKitTesting
import TeaDomain
import Testing

@testable import HubKit
@testable import Storage
@testable import Tea

struct EventNotificationTests {
    @Test func `what is written is read, and is declared`() throws {
        let notification = EventNotification("Assam is \"low\"", "5 g\nleft")
        let event = Event("app.tea/leaves-low", subject: "7kt") { body in
            body.name("name")
            body.value("Assam")
            body.notification(notification)
        }
        #expect(EventNotification(try event.fields()) == notification)
        let declaration = TopicDeclaration.reminder(event.topic, "A tea is running out.", of: "tea")
        #expect(declaration.subject == "tea id" && declaration.fields.map(\.name) == ["name", "notify"])
        #expect(declaration.fields.allSatisfy { !$0.isOptional })
        #expect(EventNotification.field(onlyIf: "only at night").isOptional)
    }

    @Test(arguments: ["{}", #"{"notify":"x"}"#, #"{"notify":{}}"#, #"{"notify":{"title":1}}"#])
    func `an event without a title has no notification`(body: String) throws {
        #expect(EventNotification(try Event("app.tea/x", subject: "", body: body).fields()) == nil)
    }

    @Test func `an item is reminded of once in a period, with a name that is cut`() async throws {
        let shop = try TeaShop()
        let tea = Tea(id: "1a", name: String(repeating: "ż", count: 2000), grams: 1)
        func remind(_ period: Int) async throws {
            try await shop.plugin.store.write(Operation("tea remind", kind: .cache)) { transaction in
                try transaction.remind("app.tea/leaves-low", of: tea, once: period, EventNotification("low", ""))
            }
        }
        for period in [1, 1, 2, 1] { try await remind(period) }
        let events = try await shop.plugin.store.read { transaction in
            try transaction.asCore { try transaction.recentEvents(matching: [.everything], since: nil, limit: 10) }
        }
        #expect(events.map(\.subject) == ["1a", "1a"])
        #expect(try events[0].event.fields()["name"]?.string?.count == 1000)
    }
}
