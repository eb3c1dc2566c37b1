import Commands

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
