import Storage
import Testing

struct TopicTests {
    @Test(arguments: ["domain.contacts/contact-added", "app.user/x", "ui.mintee/theme-changed", "gate.a1/b-2"])
    func `a topic of the grammar is taken as written`(text: String) throws {
        #expect(try #require(Topic(text)).text == text)
    }

    @Test(arguments: [
        "", "domain", "domain.contacts", "domain/contacts", "core.contacts/added", "domain.contacts/", "domain./added",
        ".contacts/added", "domain.contacts/Added", "domain.contacts/added/again", "domain.a.b/added",
        "domain.contacts/add ed", "domain.contacts/1st", "domain.contacts/\u{0}", "domain.contacts/ädded",
        "domain.contacts/" + String(repeating: "x", count: 100),
    ])
    func `anything else is no topic`(text: String) {
        #expect(Topic(text) == nil)
    }

    @Test func `a topic has a layer, a context and an entity`() {
        let topic: Topic = "app.contacts/birthday-upcoming"
        #expect(topic.layer == .app)
        #expect(topic.context == "contacts")
        #expect(topic.entity == "birthday-upcoming")
    }

    @Test(arguments: [
        ("*", "domain.contacts/contact-added", true),
        ("app.*", "domain.contacts/contact-added", false),
        ("domain.contacts/*", "domain.contacts/contact-added", true),
        ("domain.contacts/*-added", "domain.contacts/contact-added", true),
        ("domain.contacts/*-added", "domain.contacts/contact-removed", false),
        ("*/contact-added", "domain.contacts/contact-added", true),
        ("d*t*d", "domain.contacts/contact-added", true),
        ("*contact-added*", "domain.contacts/contact-added", true),
        ("domain.contacts/contact-added", "domain.contacts/contact-added", true),
        ("domain.contacts/contact-add", "domain.contacts/contact-added", false),
        ("**", "ui.a/b", true),
        ("*a*a*", "ui.a/b", false),
    ])
    func `a star stands for any run of characters`(pattern: String, topic: String, isMatch: Bool) throws {
        #expect(try #require(TopicPattern(pattern)).matches(#require(Topic(topic))) == isMatch)
    }

    @Test(arguments: ["", "[a]", "domain.contacts/?", "a b", "A*", String(repeating: "*", count: 101)])
    func `a pattern with a character that no topic has is refused`(text: String) {
        #expect(TopicPattern(text) == nil)
    }
}
