import HubKitTesting
import Storage
import Testing

struct TopicDocumentTests {
    private let declaration = TopicDeclaration(
        "app.contacts/birthday-upcoming", "A birthday is near.", subject: "contact id",
        fields: [
            .init("day", .string, "the day, yyyy-MM-dd"),
            .init("age", .integer, optional: true, "the age on that day"),
        ])

    private func differences(_ example: String, version: Int = 1) throws -> [String] {
        let document = """
            {"topic": "app.contacts/birthday-upcoming", "version": \(version), "delivery": "durable",
             "summary": "A birthday is near.", "subject": "contact id",
             "fields": [
                {"name": "day", "type": "string", "optional": false, "summary": "the day, yyyy-MM-dd"},
                {"name": "age", "type": "integer", "optional": true, "summary": "the age on that day"}],
             "example": {"topic": "app.contacts/birthday-upcoming", "version": \(version), "body": \(example)}}
            """
        return declaration.differences(from: try JSONReader.read(Array(document.utf8)))
    }

    @Test(arguments: [#"{"day": "2026-11-20"}"#, #"{"day": "2026-11-20", "age": 40}"#])
    func `a page that says what the declaration says is right`(example: String) throws {
        #expect(try differences(example) == [])
    }

    @Test(arguments: [
        (#"{}"#, "the example lacks day"), (#"{"day": 20}"#, "day is not of type string in the example"),
        (#"{"day": "2026-11-20", "age": 4.5}"#, "age is not of type integer in the example"),
        (#"{"day": "2026-11-20", "name": "Ada"}"#, "name is not declared"),
    ])
    func `an example against the declaration is found`(example: String, difference: String) throws {
        #expect(try differences(example) == ["app.contacts/birthday-upcoming: \(difference)"])
    }

    @Test func `a page of another version is found`() throws {
        #expect(try differences(#"{"day": "2026-11-20"}"#, version: 2).count == 2)
    }
}

struct EventBodyTests {
    @Test func `what an emitter writes is what a consumer reads`() throws {
        let event = Event("domain.a/x", subject: "1a") { body in
            body.name("name")
            body.value("Łukasz \"\u{1B}\"")
            body.name("count")
            body.value(3)
        }
        #expect(try event.fields()["name"]?.string == "Łukasz \"\u{1B}\"")
        #expect(try event.fields()["count"]?.integer == 3)
    }

    @Test func `a stored event is written as one object, its body as it was`() throws {
        let stored = StoredEvent(
            sequence: 7, at: Instant(milliseconds: 0), operation: nil,
            event: Event("domain.a/x", version: 2, subject: "1a", body: #"{"price":1.50,"list":[1,null,true]}"#))
        var writer = JSONWriter()
        try stored.write(to: &writer)
        #expect(
            writer.string == #"{"seq":7,"at":"1970-01-01T00:00:00Z","topic":"domain.a/x","version":2,"subject":"1a","#
                + #""operation":null,"body":{"price":1.50,"list":[1,null,true]}}"#)
    }
}
