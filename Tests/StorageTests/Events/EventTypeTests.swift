import JSON
import System
import Testing

@testable import Storage

/// Events with a typed body, from one declaration.
struct EventTypeTests {
    private struct Brewed: EventBody {
        var name: String
        var grams: Int
        var share: EventNumber
        var isGreen: Bool
        var guest: String?
        var notify: EventNotification?

        static let example = Brewed(
            name: "Sencha", grams: 5, share: EventNumber("0.5"), isGreen: true, guest: "Ann",
            notify: EventNotification("Tea", "is ready"))

        static let event = EventType(
            "app.tea/tea-brewed", "A pot was brewed.", subject: "tea id", like: "7kt",
            fields: [
                EventField("name", \Brewed.name, upTo: 10, "The name."), EventField("grams", \Brewed.grams, "Grams."),
                EventField("share", \Brewed.share, "The share."), EventField("is_green", \Brewed.isGreen, "Green?"),
                EventField("guest", \Brewed.guest, "The guest."), EventField("notify", \Brewed.notify, "The message."),
            ])
    }

    @Test func `a body is written as it is declared, and read again`() throws {
        var body = Brewed.example
        body.guest = nil
        let event = Brewed.event(body, of: "7kt", once: "7kt:1")
        #expect(event.topic == "app.tea/tea-brewed" && event.subject == "7kt" && event.uniqueKey == "7kt:1")
        let text =
            #"{"name":"Sencha","grams":5,"share":0.5,"is_green":true,"notify":{"title":"Tea","body":"is ready"}}"#
        #expect(event.body == text)
        #expect(Brewed.event(try Brewed(event), of: "").body == text)
        body.name = String(repeating: "x", count: 20)
        #expect(try Brewed(Brewed.event(body, of: "")).name == "xxxxxxxxxx")
    }

    @Test func `the declaration lists the fields with their types, and shows the example`() throws {
        let declaration = Brewed.event.declaration
        #expect(declaration.fields.map(\.name) == ["name", "grams", "share", "is_green", "guest", "notify"])
        #expect(declaration.fields.map(\.kind) == [.string, .integer, .number, .boolean, .string, .object])
        #expect(declaration.fields.map(\.isOptional) == [false, false, false, false, true, true])
        #expect(try #require(declaration.example).body == Brewed.event(.example, of: "").body)
    }

    @Test(arguments: [
        "{}", #"{"name":"x","grams":"5","share":1,"is_green":true}"#, #"{"name":"x","grams":5,"share":1}"#,
        #"{"name":"x","grams":5,"share":1,"is_green":true,"guest":7}"#, "[]", "x",
    ])
    func `a body that is not of the type is refused`(_ body: String) {
        let error = #expect(throws: HubError.self) {
            try Brewed(Event("app.tea/tea-brewed", subject: "", body: body))
        }
        #expect(error?.code == "event-invalid")
    }
}
