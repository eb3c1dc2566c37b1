package import Commands
import TOML

/// Puts the configuration together: option over environment over the person's file over the system's over default.
package struct ConfigLoader: Sendable {
    /// A setting that an option of the command line gives.
    package struct Override: Sendable {
        /// The path of the setting.
        package let path: ConfigPath
        /// The value as it was typed.
        package let word: String
        /// The option, such as `--currency`.
        package let option: String

        package init(_ path: ConfigPath, word: String, option: String) {
            self.path = path
            self.word = word
            self.option = option
        }
    }

    /// The known settings.
    package let schema: ConfigSchema
    /// The environment variables.
    package let environment: [String: String]
    /// The folder that `~` stands for.
    package let home: String

    package init(schema: ConfigSchema, environment: [String: String], home: String) {
        self.schema = schema
        self.environment = environment
        self.home = home
    }

    /// The settings in force with this file, or with none. `system` has those of the system, the most important first.
    package func load(
        _ text: ConfigText?, system: [ConfigText] = [], overrides: [Override] = []
    ) -> Configuration {
        if text == nil, system.isEmpty, overrides.isEmpty, !environment.keys.contains(where: Self.maySet) {
            return Configuration(defaultsOf: schema)
        }
        var found = ConfigIssues(home: home)
        for (text, isOfSystem) in system.reversed().map({ ($0, true) }) + [text].compactMap(\.self).map({ ($0, false) })
        {
            do {
                let root = try TOML.parse(text.bytes)
                var walk = ConfigTraversal(text: text, schema: schema, isOfSystem: isOfSystem, findings: found)
                walk.visit(root, in: schema)
                found = walk.findings
            } catch {
                found.problems.append(text.problem(error))
            }
        }
        for setting in schema.settings {
            guard let name = setting.environmentName, let word = environment[name], !word.isEmpty else { continue }
            found.add(word: word, at: setting.path, of: setting, origin: .environment(name))
        }
        for override in overrides {
            guard let setting = schema.setting(at: override.path) else { continue }
            found.add(word: override.word, at: override.path, of: setting, origin: .option(override.option))
        }
        return found.configuration(schema: schema)
    }

    /// The variables that set no setting, though their names begin as if they did.
    package static let otherVariables: Set<String> = ["HUB_CONFIG", "HUB_DATA", "HUB_DEBUG"]

    /// Whether a variable may set a setting, by its name.
    private static func maySet(_ name: String) -> Bool {
        name.utf8.starts(with: "HUB_".utf8) && !otherVariables.contains(name)
    }
}
