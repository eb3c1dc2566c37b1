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

/// The manual page of the config file, `hub-config(5)`: every setting with its values, default and variable.
package enum ConfigManual {
    /// Returns the page for all settings of the schema; `version` is in the footer.
    package static func page(for schema: ConfigSchema, version: String) -> ManualPage {
        var page = ManualPage(name: "hub-config", section: 5, summary: "config file of hub", version: version)
        page.heading("Description")
        page.paragraph(
            "hub reads ~/.config/hub/config.toml, or the file given by --config or HUB_CONFIG. The file is TOML 1.0; "
                + "none is needed. Command-line options override the environment, which overrides "
                + "the config file, which overrides the defaults.")
        page.paragraph("hub config init writes a file with every setting explained and commented out.")
        page.heading("Settings")
        for setting in schema.settings where setting.plugin == nil { define(setting, on: &page) }
        for plugin in schema.plugins {
            let settings = schema.settings.filter { $0.plugin == plugin }
            if settings.isEmpty { continue }
            page.heading("Settings of \(plugin)")
            for setting in settings { define(setting, on: &page) }
        }
        page.heading("See also")
        page.paragraph("hub(1), https://toml.io")
        return page
    }

    private static func define(_ setting: ConfigSchema.Setting, on page: inout ManualPage) {
        let key = setting.key
        let byDefault = key.defaultValue.map(ConfigLiteral.toml) ?? key.defaultText
        let parts: [String?] = [
            key.help.prefix(1).uppercased() + String(key.help.dropFirst()), "Value: \(key.expectation)",
            byDefault.map { "Default: \($0)" }, setting.environmentName.map { "Variable: \($0)" },
        ]
        page.definition(
            setting.path.naming("NAME").description, parts.compactMap { $0.map { $0 + "." } }.joined(separator: " "))
    }
}
