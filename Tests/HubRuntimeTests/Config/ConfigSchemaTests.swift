import Commands
import HubRuntime
import HubRuntimeTesting
import TestSupport
import Testing

@Suite struct ConfigSchemaTests {
    @Test func `sound declarations have no flaws`() {
        #expect(SampleConfig.schema.flaws == [])
    }

    @Test(arguments: [
        (ConfigKey("a", .bool, default: true, help: "Some thing."), "needs a help text without a full stop"),
        (
            ConfigKey("a", .bool, default: true, help: "some thing", example: "1"),
            "has an invalid example"
        ),
        (ConfigKey("remind_at", .bool, default: true, help: "some thing"), "is declared twice"),
        (ConfigKey("remind-at", .bool, default: true, help: "some thing"), "shares HUB_CONTACTS_REMIND_AT"),
        (ConfigKey("remind_at.early", .bool, default: true, help: "some thing"), "is inside the setting"),
        (ConfigKey("a.*.b.*.c", .bool, default: true, help: "some thing"), "has two wildcards"),
        (ConfigKey("plugins.a.b", .bool, default: true, help: "some thing", scope: .hub), "is in the wrong scope"),
    ])
    func `a flaw of a declaration is seen`(key: ConfigKey<Bool>, flaw: String) {
        let schema = ConfigSchema(plugins: [(id: "contacts", keys: [SampleConfig.remindAt, key])])
        #expect(schema.flaws.contains { $0.contains(flaw) }, "\(schema.flaws)")
    }

    @Test func `a default that the key does not take is seen`() {
        let key = ConfigKey("a", .integer(in: 1...5), default: 9, help: "some thing")
        #expect(
            ConfigSchema(plugins: [(id: "x", keys: [key])]).flaws == [
                "plugins.x.a: has an invalid default"
            ])
    }

    @Test func `the manual page explains every setting`() {
        Golden.expect(ConfigManual.page(for: SampleConfig.schema, version: "0.0").source, is: "hub-config.5")
    }

    @Test(arguments: [
        ("hub.region", ["hub", "region"]), ("a.\"b.c\".d", ["a", "b.c", "d"]), ("a.'b\"c'", ["a", "b\"c"]),
        ("é.x y", ["é", "x y"]),
    ])
    func `a path is read as it is written`(text: String, parts: [String]) throws {
        let path = try #require(ConfigPath(text))
        #expect(path.parts == parts)
        #expect(ConfigPath(path.description) == path)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "a.\"b", "a.\"b\"c", "\"\""])
    func `what is no path is refused`(text: String) {
        #expect(ConfigPath(text) == nil)
    }
}
