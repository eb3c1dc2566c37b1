import Commands
import HubKit
import HubKitTesting
import Testing

// example
enum PantryKeys {
    enum Unit: String, CaseIterable, Sendable { case metric, imperial }

    static let unit = ConfigKey("unit", ConfigType<Unit>.word, default: .metric, help: "unit of weights")
    static let limit = ConfigKey(
        "limit", .integer(in: 0...1000), default: 20, help: "weight below which a jar is empty")
    /// A setting of each scale: `scales.kitchen.key`.
    static let scaleKey = ConfigKey(
        "scales.*.key", ConfigType<SecretSource>.secret, help: "key of the scale",
        example: #"{ command = "pass scale" }"#,
        isSecret: true)

    static let all: [any ConfigDeclaration] = [unit, limit, scaleKey]
}
// end

/// Settings and secrets.
struct SettingExamples {
    @Test func `settings are typed, and have defaults`() {
        // example
        var config = Config()  // context.config
        #expect(config[PantryKeys.limit] == 20)
        config[PantryKeys.limit] = 50
        config[PantryKeys.scaleKey, "kitchen"] = .command("pass scale")
        #expect(config.names(for: PantryKeys.scaleKey) == ["kitchen"])
        #expect(config[HubKeys.weekStart] == .mon)  // a setting of all of hub
        // end
    }

    @Test func `a use case changes the config file`() async throws {
        // example
        let settings: any Settings = MemorySettings(PantryKeys.all)  // context.settings
        try await settings.apply([
            SettingChange.set(ConfigPath(["limit"]), .integer(30)),
            .set(PantryKeys.scaleKey, "kitchen", .text("secret")),
        ])
        #expect(try settings.current()[PantryKeys.limit] == 30)
        try await settings.apply([.remove(ConfigPath(["scales", "kitchen"]))])
        // end
        #expect(try settings.written().count == 1)
    }

    @Test func `a secret is read where the user keeps it`() async throws {
        // example
        let secrets: any Secrets = MemorySecrets()  // context.secrets
        #expect(try await secrets.read(.text("secret")) == "secret")
        // end
    }
}
