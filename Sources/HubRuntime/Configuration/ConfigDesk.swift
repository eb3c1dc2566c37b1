package import HubKit

/// What can be done with a person's configuration: read it, ask it, change it.
package struct ConfigDesk: Sendable {
    package let file: ConfigFile
    private let loader: ConfigLoader

    package init(schema: ConfigSchema, environment: ProcessEnvironment, option: String?) {
        file = ConfigFile(environment: environment, option: option)
        loader = ConfigLoader(schema: schema, environment: environment.variables, home: environment.home)
    }

    /// All settings there are.
    package var schema: ConfigSchema { loader.schema }

    /// The settings in force, with all that is wrong; throws only when the file cannot be read.
    package func load(overrides: [ConfigLoader.Override] = []) throws(HubError) -> Configuration {
        loader.load(try file.read(), overrides: overrides)
    }

    /// What is wrong with `bytes` as a config file, the environment left aside.
    package func problems(in bytes: [UInt8]) -> [ConfigProblem] {
        ConfigLoader(schema: schema, environment: [:], home: loader.home)
            .load(ConfigText(bytes, path: file.shownPath)).problems
    }

    /// The setting in force at a path as it is typed; throws when there is no such setting.
    package func entry(named word: String) throws(HubError) -> Configuration.Entry? {
        let path = try path(named: word)
        _ = try schema.requireSetting(at: path)
        return try load().entry(at: path)
    }

    /// The words that a setting takes, when they are a short list; none for an unknown one.
    func values(of word: String) -> [String] {
        guard let path = try? path(named: word), let key = schema.setting(at: path)?.key else { return [] }
        return key.shape == .boolean ? ["true", "false"] : key.choices
    }

    /// What a set changed.
    package struct Change: Sendable {
        package let path: ConfigPath
        /// The value that the file or the default gave before; nil when neither did.
        package let old: ConfigValue?
        package let new: ConfigValue
        /// Whether the value is never shown.
        package let isSecret: Bool
        /// The environment variable that still wins over the file.
        package let hiddenBy: String?
    }

    /// Sets one setting in the file; all else in it stays byte for byte. With `dryRun` nothing is written.
    package func set(_ word: String, to value: String, dryRun: Bool = false) throws(HubError) -> Change {
        let path = try path(named: word)
        let setting = try schema.requireSetting(at: path)
        let new = ConfigWord.value(value, shape: setting.key.shape)
        do throws(ConfigMismatch) {
            _ = try setting.key.read(new, loader.home)
        } catch {
            throw HubError(
                .invalid, code: "wrong-value",
                "\(path) does not take \(setting.key.isSecret ? "this value" : "\"\(value)\"")", details: [error.note],
                hint: setting.key.choices.isEmpty ? nil : "it takes \(setting.key.choices.joined(separator: ", "))")
        }
        let before = try edit(dryRun: dryRun) { text throws(HubError) in
            try ConfigEditor(text).setting(path, to: new)
        }
        let old = loader.load(before).entry(at: path)?.candidates.first { $0.origin.isFile }
        let hiddenBy = setting.environmentName.flatMap { loader.environment[$0]?.isEmpty == false ? $0 : nil }
        return Change(
            path: path, old: old?.value ?? setting.key.defaultValue, new: new, isSecret: setting.key.isSecret,
            hiddenBy: hiddenBy)
    }

    /// Makes changes whose paths lie below `prefix`, all or none; all else in the file stays byte for byte.
    package func apply(_ changes: [SettingChange], below prefix: [String]) throws(HubError) {
        for case .set(let path, let value) in changes {
            let path = path.prefixed(by: prefix)
            let setting = try schema.requireSetting(at: path)
            do throws(ConfigMismatch) {
                _ = try setting.key.read(value, loader.home)
            } catch {
                throw HubError(
                    .invalid, code: "wrong-value", "\(path) does not take this value", details: [error.note])
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

    /// Changes the file, again when somebody else changed it at the same time, and returns the text before.
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

    /// Writes a file with every setting explained and commented out. A file that is there is kept with `.old` behind its
    /// name, and only with `force`.
    package func writeTemplate(force: Bool) throws(HubError) -> String? {
        let text = try file.readIfPresent()
        if text != nil, !force {
            throw HubError(
                .conflict, code: "config-exists", "\(file.shownPath) is there already, nothing was written",
                hint: "hub config edit changes it; --force writes a new one and keeps the old one beside it")
        }
        let kept = try text.map { text throws(HubError) in try file.keep(text.bytes, suffix: ".old") }
        try file.write(Array(ConfigTemplate.text(for: schema).utf8), expecting: text)
        return kept
    }

    private func path(named word: String) throws(HubError) -> ConfigPath {
        if let path = ConfigPath(word) { return path }
        throw HubError(
            .usage, code: "invalid-setting-name", "\"\(word)\" is no name of a setting",
            hint: "names look like hub.region; hub config list shows all settings")
    }
}
