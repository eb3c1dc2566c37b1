import Commands
import TOML

/// The config file that `hub config init` writes: every setting explained and commented out, so that the file changes
/// nothing until a line is uncommented.
package enum ConfigTemplate {
    /// The text for all settings of the schema.
    package static func text(for schema: ConfigSchema) -> String {
        var blocks = [
            """
            # hub's settings. Every setting has a default; uncomment a line to change it.
            # hub config check reports mistakes; hub config list --origin shows where each value comes from.
            """
        ]
        for section in sections(of: schema) {
            let isNamed = section.header.contains(ConfigPath.anyName)
            let header = "[\(TOML.key(section.header.map { $0 == ConfigPath.anyName ? "NAME" : $0 }))]"
            blocks.append(
                ([isNamed ? "#" + header : header] + section.settings.flatMap(lines)).joined(separator: "\n"))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private struct Section {
        /// The table; `*` in it stands for a name.
        let header: [String]
        var settings: [ConfigSchema.Setting]
    }

    /// The settings by the section in which they are written. A table that has nothing but settings below it with a
    /// wildcard in the middle gets a section with that wildcard; all other settings of a plugin are under the plugin.
    private static func sections(of schema: ConfigSchema) -> [Section] {
        var result: [Section] = []
        for setting in schema.settings {
            let header = self.header(of: setting)
            if let index = result.firstIndex(where: { $0.header == header }) {
                result[index].settings.append(setting)
            } else {
                result.append(Section(header: header, settings: [setting]))
            }
        }
        return result
    }

    private static func header(of setting: ConfigSchema.Setting) -> [String] {
        let parts = setting.path.parts
        if let wildcard = parts.firstIndex(of: ConfigPath.anyName), wildcard + 1 < parts.count {
            return Array(parts[...wildcard])
        }
        return Array(parts.prefix(setting.plugin == nil ? 1 : 2))
    }

    private static func lines(_ setting: ConfigSchema.Setting) -> [String] {
        let key = setting.key
        let rest = setting.path.parts.dropFirst(header(of: setting).count)
        let name = TOML.key(rest.map { $0 == ConfigPath.anyName ? "NAME" : $0 })
        let value = key.example ?? key.defaultValue.map(ConfigLiteral.toml) ?? "\"\""
        let note = key.defaultText.map { "; default \($0)" } ?? ""
        let choices = key.choices.isEmpty ? "" : ": " + key.choices.joined(separator: " | ")
        return ["# \(key.help)\(note)\(choices)", "#\(name) = \(value)"]
    }
}
