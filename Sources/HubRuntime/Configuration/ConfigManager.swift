package import Commands

/// The user's configuration: reading, querying and changing it.
package struct ConfigManager: Sendable {
    /// The config file.
    package let file: ConfigFile
    private let loader: ConfigLoader
    /// The environment of the process, whose home folder `~` stands for.
    package let environment: ProcessEnvironment
    /// The config files of the system, the most important first.
    private let systemFiles: [ConfigFile]

    /// Creates the manager for the file named by `option`, by `HUB_CONFIG`, or the default one.
    package init(schema: ConfigSchema, environment: ProcessEnvironment, option: String?) {
        self.environment = environment
        file = ConfigFile(environment: environment, option: option)
        systemFiles = ConfigFile.ofSystem(environment)
        loader = ConfigLoader(schema: schema, environment: environment.variables, home: environment.home)
    }

    /// All settings there are.
    package var schema: ConfigSchema { loader.schema }

    /// The settings in force, with all that is wrong; throws only when the file cannot be read.
    package func load(overrides: [ConfigLoader.Override] = []) throws(HubError) -> Configuration {
        loader.load(try file.read(), system: try system(), overrides: overrides)
    }

    private func system() throws(HubError) -> [ConfigText] {
        var texts: [ConfigText] = []
        for file in systemFiles {
            if let text = try file.readIfPresent() { texts.append(text) }
        }
        return texts
    }

    /// The settings in force, with all that is wrong, also what only a check looks for: hooks that cannot run, aliases
    /// that stand for nothing.
    package func review() throws(HubError) -> Configuration {
        var configuration = try load()
        if let text = try file.read() {
            configuration.problems +=
                ConfigReview(text, schema: schema, environment: loader.environment).problems
        }
        return configuration
    }

    /// Returns the problems of `bytes` as a config file, ignoring the environment.
    package func problems(in bytes: [UInt8]) -> [ConfigProblem] {
        ConfigLoader(schema: schema, environment: [:], home: loader.home)
            .load(ConfigText(bytes, path: file.shownPath)).problems
    }

    /// Returns the effective setting at a typed path; throws when the setting is unknown.
    package func entry(named word: String) throws(HubError) -> Configuration.Entry? {
        let path = try path(named: word)
        _ = try schema.requireSetting(at: path)
        return try load().entry(at: path)
    }

    /// Returns the values that a setting accepts, if they are a short list; empty for an unknown setting.
    func values(of word: String) -> [String] {
        guard let path = try? path(named: word), let key = schema.setting(at: path)?.key else { return [] }
        return key.shape == .boolean ? ["true", "false"] : key.choices
    }

    /// The result of a `set`.
    package struct Change: Sendable {
        /// The path of the changed setting.
        package let path: ConfigPath
        /// The value that the file or the default gave before; nil when neither did.
        package let old: ConfigValue?
        /// The new value.
        package let new: ConfigValue
        /// Whether the file had a value before.
        package let wasWritten: Bool
        /// Whether the value is never shown.
        package let isSecret: Bool
        /// The environment variable that still wins over the file.
        package let hiddenBy: String?
    }

    /// Sets one setting in the file; all else in it stays byte for byte. With `dryRun` nothing is written.
    package func set(_ word: String, to value: String, dryRun: Bool = false) throws(HubError) -> Change {
        let path = try path(named: word)
        let setting = try schema.requireSetting(at: path)
        let new = ConfigLiteral.value(value, shape: setting.key.shape)
        if path.parts.first == "alias", ShellWords.split(value)?.isEmpty != false {
            throw HubError(
                .invalid, code: "wrong-value", "invalid value \"\(value)\" for \(path)",
                details: ["an alias is a command line, such as contacts search"],
                hint: "to remove it: hub config unset \(path)")
        }
        do throws(ConfigMismatch) {
            _ = try setting.key.read(new, loader.home)
            if case .list(let words) = new, !setting.key.choices.isEmpty {
                for case .text(let word) in words where !setting.key.choices.contains(word) {
                    throw ConfigMismatch("unknown value \"\(word)\"")
                }
            }
        } catch {
            throw HubError(
                .invalid, code: "wrong-value",
                "invalid value\(setting.key.isSecret ? "" : " \"\(value)\"") for \(path)", details: [error.note],
                hint: setting.key.choices.isEmpty ? nil : "valid values: \(setting.key.choices.joined(separator: ", "))"
            )
        }
        let before = try edit(dryRun: dryRun) { text throws(HubError) in
            try ConfigEditor(text).setting(path, to: new)
        }
        let old = loader.load(before).entry(at: path)?.candidates.first { $0.origin.isFile }
        let hiddenBy = setting.environmentName.flatMap { loader.environment[$0]?.isEmpty == false ? $0 : nil }
        return Change(
            path: path, old: old?.value ?? setting.key.defaultValue, new: new, wasWritten: old != nil,
            isSecret: setting.key.isSecret, hiddenBy: hiddenBy)
    }

    /// The result of an `unset`.
    package struct Removal: Sendable {
        /// The path of the setting.
        package let path: ConfigPath
        /// The value that the file gave; nil when it had none.
        package let old: ConfigValue?
        /// The default, as it is shown; nil for none.
        package let defaultText: String?
        /// Whether the value is never shown.
        package let isSecret: Bool
    }

    /// Removes one setting from the file, so that its default applies; all else in it stays byte for byte. With `dryRun` nothing is
    /// written.
    package func unset(_ word: String, dryRun: Bool = false) throws(HubError) -> Removal {
        let path = try path(named: word)
        let setting = try schema.requireSetting(at: path)
        let before = try edit(dryRun: dryRun) { text throws(HubError) in try ConfigEditor(text).removing(path) }
        let old = loader.load(before).entry(at: path)?.candidates.first { $0.origin.isFile }
        return Removal(
            path: path, old: old?.value, defaultText: setting.key.defaultText, isSecret: setting.key.isSecret)
    }

    /// Writes the new names of settings that were renamed, and returns them; where the file has both, the old one goes. With `dryRun`
    /// nothing is written.
    package func migrate(dryRun: Bool = false) throws(HubError) -> [RenamedSetting] {
        let (schema, home) = (schema, loader.home)
        var done: [RenamedSetting] = []
        _ = try edit(dryRun: dryRun) { text throws(HubError) in
            done = []
            var bytes = text.bytes
            for name in schema.renamed {
                let part = ConfigSchema(renaming: name, of: schema)
                let before = ConfigText(bytes, path: text.path)
                let entries = ConfigLoader(schema: part, environment: [:], home: home).load(before).entries
                guard let old = entries.first(where: { $0.path == name.old })?.winner, old.origin.isFile,
                    let value = old.value
                else { continue }
                let isSet = entries.first { $0.path == name.new }?.winner.origin.isFile == true
                bytes = try ConfigEditor(before).removing(name.old)
                if !isSet { bytes = try ConfigEditor(ConfigText(bytes, path: text.path)).setting(name.new, to: value) }
                done.append(name)
            }
            return bytes
        }
        return done
    }

    /// Applies changes whose paths are relative to `prefix`, atomically; the rest of the file stays byte for byte.
    package func apply(_ changes: [SettingChange], below prefix: [String]) throws(HubError) {
        for case .set(let path, let value) in changes {
            let path = path.prefixed(by: prefix)
            let setting = try schema.requireSetting(at: path)
            do throws(ConfigMismatch) {
                _ = try setting.key.read(value, loader.home)
            } catch {
                throw HubError(
                    .invalid, code: "wrong-value", "invalid value for \(path)", details: [error.note])
            }
        }
        _ = try edit(dryRun: false) { text throws(HubError) in
            var bytes = text.bytes
            for change in changes {
                let editor = try ConfigEditor(ConfigText(bytes, path: text.path))
                switch change {
                case .set(let path, let value): bytes = try editor.setting(path.prefixed(by: prefix), to: value)
                case .remove(let path): bytes = try editor.removing(path.prefixed(by: prefix))
                }
            }
            return bytes
        }
    }

    /// Changes the file, retrying when another process changed it at the same time, and returns the previous text.
    private func edit(
        dryRun: Bool, _ change: (ConfigText) throws(HubError) -> [UInt8]
    ) throws(HubError) -> ConfigText? {
        var attempts = 0
        while true {
            let text = try file.readIfPresent()
            let bytes = try change(text ?? ConfigText([], path: file.shownPath))
            if dryRun || bytes == text?.bytes ?? [] { return text }
            do throws(HubError) {
                try file.write(bytes, expecting: text)
                return text
            } catch {
                attempts += 1
                guard error.code == ConfigFile.changedCode, attempts < 100 else { throw error }
            }
        }
    }

    /// Writes a file with every setting explained and commented out. An existing file is renamed with the suffix
    /// `.old`, and only with `force`.
    package func writeTemplate(force: Bool) throws(HubError) -> String? {
        let text = try file.readIfPresent()
        if text != nil, !force {
            throw HubError(
                .conflict, code: "config-exists", "\(file.shownPath) already exists; nothing was written",
                hint: "edit it with hub config edit, or use --force to write a new one and keep the old one next to it")
        }
        let kept = try text.map { text throws(HubError) in try file.keep(text.bytes, suffix: ".old") }
        try file.write(Array(ConfigTemplate.text(for: schema).utf8), expecting: text)
        return kept
    }

    private func path(named word: String) throws(HubError) -> ConfigPath {
        if let path = ConfigPath(word) { return path }
        throw HubError(
            .usage, code: "invalid-setting-name", "\"\(word)\" is not a valid setting name",
            hint: "names look like hub.region; hub config list lists all settings")
    }
}
