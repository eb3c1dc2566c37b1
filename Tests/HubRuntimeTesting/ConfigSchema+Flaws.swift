import Commands
import TOML

@testable package import HubRuntime

extension ConfigSchema {
    /// The errors of the declarations themselves, for a test over all built-in plugins.
    package var flaws: [String] {
        var flaws: [String] = []
        var paths: Set<ConfigPath> = []
        var variables: Set<String> = []
        for setting in settings {
            func note(_ flaw: String) { flaws.append("\(setting.path): \(flaw)") }
            let key = setting.key
            if !paths.insert(setting.path).inserted { note("is declared twice") }
            if let name = setting.environmentName, !variables.insert(name).inserted { note("shares \(name)") }
            if (setting.plugin == nil) != (key.scope == .hub) { note("is in the wrong scope") }
            if setting.path.parts.count(where: { $0 == ConfigPath.anyName }) > 1 { note("has two wildcards") }
            if setting.path.parts.count < 2 { note("is outside any table") }
            for depth in 1..<setting.path.parts.count {
                let outer = ConfigPath(Array(setting.path.parts[..<depth]))
                if self.setting(at: outer) != nil { note("is inside the setting \(outer)") }
            }
            if key.help.isEmpty || key.help.hasSuffix(".") { note("needs a help text without a full stop") }
            if let value = key.defaultValue, !fits(value, key) { note("has an invalid default") }
            if let example = key.example {
                let node = try? TOML.parse("example = \(example)").entry("example")?.node
                if node.map({ fits(ConfigValue($0.value), key) }) != true {
                    note("has an invalid example")
                }
            }
        }
        return flaws
    }

    private func fits(_ value: ConfigValue, _ key: AnyConfigKey) -> Bool {
        (try? key.read(value, "/home")) != nil
    }
}
