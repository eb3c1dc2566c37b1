import Commands
import HubRuntime

/// The settings of two invented plugins, one key of every type among them.
enum SampleConfig {
    static let url = ConfigKey<String?>("accounts.*.url", .text, help: "the server's address", example: #""https://…""#)
    static let password = ConfigKey<SecretSource?>(
        "accounts.*.password", .secret, help: "the password", example: #"{ keyring = "posteo" }"#, isSecret: true)
    static let every = ConfigKey(
        "accounts.*.every", .duration, default: .seconds(900), help: "how often it is exchanged")
    static let remindAt = ConfigKey("remind_at", .timeOfDay, default: sevenOClock, help: "when birthdays are told")
    static let days = ConfigKey("birthdays.days", .integer(in: 1...366), default: 30, help: "how far ahead")
    static let mirror = ConfigKey<String?>("mirror", .path, help: "a folder of files", example: #""~/notes""#)
    static let inbox = ConfigKey("inbox", .list(of: .path), default: [], help: "folders that are watched")
    static let server = ConfigKey("server.enabled", .bool, default: false, help: "whether it serves")

    static let schema = ConfigSchema(plugins: [
        (id: "contacts", keys: [remindAt, days, url, password, every]),
        (id: "notes", keys: [mirror, inbox, server]),
    ])

    static let path = "config.toml"

    static func load(
        _ text: String?, environment: [String: String] = [:], overrides: [ConfigLoader.Override] = []
    ) -> Configuration {
        ConfigLoader(schema: schema, environment: environment, home: "/home/ada")
            .load(text.map { ConfigText(Array($0.utf8), path: path) }, overrides: overrides)
    }

    private static var sevenOClock: TimeOfDay {
        guard let time = TimeOfDay("07:00") else { preconditionFailure("07:00 is a time") }
        return time
    }
}
