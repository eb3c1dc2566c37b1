package import Commands

/// The intermediate result of loading: candidates for each setting, names, problems.
struct ConfigIssues {
    private struct Found {
        let candidate: Configuration.Candidate
        let decoded: any Sendable
    }

    /// The folder that `~` stands for.
    let home: String
    var problems: [ConfigProblem] = []

    private var found: [ConfigPath: [Found]] = [:]
    /// Paths with the user's names, by the path with the wildcard, in the order of the file.
    private var named: [ConfigPath: [ConfigPath]] = [:]
    private var names: [(group: ConfigPath, name: String)] = []

    init(home: String) { self.home = home }

    /// Records that `name` is in the group, which is a path from the root.
    mutating func add(name: String, to group: [String]) {
        // Two files may name the same one.
        guard !names.contains(where: { $0.name == name && $0.group.parts == group }) else { return }
        names.append((ConfigPath(group), name))
    }

    /// Takes a value; throws when it does not fit.
    mutating func add(
        _ value: ConfigValue, at path: ConfigPath, of setting: ConfigSchema.Setting, origin: ConfigOrigin
    ) throws(ConfigMismatch) {
        let decoded = try setting.key.read(value, home)
        if path != setting.path, found[path] == nil { named[setting.path, default: []].append(path) }
        found[path, default: []].append(
            Found(candidate: Configuration.Candidate(origin: origin, value: value), decoded: decoded))
    }

    /// Adds a value that was given as text.
    mutating func add(word: String, at path: ConfigPath, of setting: ConfigSchema.Setting, origin: ConfigOrigin) {
        do throws(ConfigMismatch) {
            try add(ConfigLiteral.value(word, shape: setting.key.shape), at: path, of: setting, origin: origin)
        } catch {
            let shown = setting.key.isSecret ? "" : " \"\(TerminalSanitizer.line(String(word.prefix(60))))\""
            problems.append(
                ConfigProblem(
                    source: origin.description, line: nil, column: nil, message: "invalid value\(shown) for \(path)",
                    note: error.note, excerpt: []))
        }
    }

    /// Returns the configuration; the last candidate of each setting is in effect.
    func configuration(schema: ConfigSchema) -> Configuration {
        var entries: [Configuration.Entry] = []
        var hub = Config()
        var plugins = Dictionary(uniqueKeysWithValues: schema.plugins.map { ($0, Config()) })
        for setting in schema.settings {
            let paths = setting.path.group == nil ? [setting.path] : named[setting.path] ?? []
            for path in paths {
                let candidates = found[path] ?? []
                let byDefault = Configuration.Candidate(origin: .default, value: setting.key.defaultValue)
                let all = candidates.reversed().map(\.candidate) + [byDefault]
                entries.append(
                    Configuration.Entry(
                        path: path, setting: setting, winner: all[0],
                        overridden: all.dropFirst().filter { $0.value != nil }))
                guard let decoded = candidates.last?.decoded else { continue }
                if let plugin = setting.plugin {
                    let relative = ConfigPath(Array(path.parts.dropFirst(2)))
                    plugins[plugin]?.set(decoded, scope: .plugin, path: relative)
                } else {
                    hub.set(decoded, scope: .hub, path: path)
                    for plugin in schema.plugins { plugins[plugin]?.set(decoded, scope: .hub, path: path) }
                }
            }
        }
        for (group, name) in names {
            if group.parts.first == "plugins", group.parts.count > 2 {
                plugins[group.parts[1]]?.add(
                    name: name, to: ConfigPath(Array(group.parts.dropFirst(2))), scope: .plugin)
            } else {
                hub.add(name: name, to: group, scope: .hub)
            }
        }
        return Configuration(entries: entries, problems: problems, hub: hub, plugins: plugins)
    }
}

/// A problem of the configuration.
package struct ConfigProblem: Sendable, Equatable {
    /// The source of the value: the path of the config file, an environment variable, or an option.
    package let source: String
    /// The line in the file, counted from 1; nil elsewhere.
    package let line: Int?
    /// The column in Unicode scalars, counted from 1; nil elsewhere.
    package let column: Int?
    /// The message, such as `unknown setting hub.regoin`.
    package let message: String
    /// The reason or a suggestion; may be empty.
    package let note: String
    /// The lines of the file with marks; empty elsewhere.
    package let excerpt: [String]
    /// Whether the rest of the configuration is still used, as with a setting that this version does not know.
    package var isWarning = false

    /// `file:line:column`, or the name of the source.
    package var place: String {
        [source, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }

    /// The message, with the note unless an excerpt shows it.
    var explanation: String { excerpt.isEmpty && !note.isEmpty ? "\(message): \(note)" : message }

    /// The lines that describe the problem below an error.
    package var lines: [String] { ["\(place)  \(explanation)"] + excerpt }
}

extension HubError {
    /// The maximum number of problems that are shown; the rest is counted.
    private static let shownProblems = 20

    /// Creates the error that reports all problems of the configuration at once; there is at least one.
    package init(
        _ problems: [ConfigProblem], hint: String = "fix the file with hub config edit"
    ) {
        var details = problems.prefix(Self.shownProblems).flatMap(\.lines)
        if problems.count > Self.shownProblems { details.append("and \(problems.count - Self.shownProblems) more") }
        let subject = NumberFormat.counted(problems.count, "problem")
        self.init(.config, code: "config-invalid", "the configuration has \(subject)", details: details, hint: hint)
    }
}
