import Commands
import TOML

/// Traverses the tree of a config file along the schema and takes every valid value; everything else becomes a
/// problem, so that one run reports all problems.
struct ConfigTraversal {
    let text: ConfigText
    /// The ids of the built-in plugins.
    let plugins: [String]
    /// Whether it is a file of the system.
    let isOfSystem: Bool
    let renamed: [RenamedSetting]
    var findings: ConfigIssues
    /// The entries with old names.
    private var old: [(entry: TOMLTable.Entry, setting: RenamedSetting)] = []
    /// The settings that the file has.
    private var taken: Set<ConfigPath> = []

    init(text: ConfigText, schema: ConfigSchema, isOfSystem: Bool, findings: ConfigIssues) {
        self.text = text
        plugins = schema.plugins
        renamed = schema.renamed
        self.isOfSystem = isOfSystem
        self.findings = findings
    }

    /// Takes all entries of a file. A setting under its old name counts unless the new one is there, too.
    mutating func visit(_ root: TOMLTable, in schema: ConfigSchema) {
        visit(root, node: schema.root, path: [])
        for (entry, name) in old {
            findings.problems.append(
                text.problem(
                    at: entry.keyRange, "\(name.old) is now \(name.new)",
                    note: "hub config migrate changes the file; the old name is unknown from hub \(name.until) on",
                    isWarning: true))
            guard !taken.contains(name.new), let setting = schema.setting(at: name.new) else { continue }
            take(entry, of: setting, at: name.new)
        }
    }

    /// Takes the entries of `table`, which lies at `path`.
    mutating func visit(_ table: TOMLTable, node: ConfigSchema.Node, path: [String]) {
        for entry in table.entries {
            let here = path + [entry.key]
            if let name = renamed.first(where: { $0.old.parts == here }) {
                old.append((entry, name))
                continue
            }
            guard let child = node[entry.key] else {
                reportUnknown(entry, below: node, path: path)
                continue
            }
            if node.children[entry.key] == nil { findings.add(name: entry.key, to: path) }
            if let setting = child.setting {
                take(entry, of: setting, at: ConfigPath(here))
            } else if case .table(let inner) = entry.node.value {
                visit(inner, node: child, path: here)
            } else {
                let inside = child.children.keys.filter { $0 != ConfigPath.anyName }.sorted().prefix(5)
                let example = inside.isEmpty ? "NAME" : inside.joined(separator: ", ")
                findings.problems.append(
                    text.problem(
                        at: entry.keyRange, "\(ConfigPath(here)) is a table, not a setting",
                        note: "settings below it: \(example)"))
            }
        }
    }

    private mutating func take(_ entry: TOMLTable.Entry, of setting: ConfigSchema.Setting, at path: ConfigPath) {
        taken.insert(path)
        do throws(ConfigMismatch) {
            let line = entry.node.range.start.line
            let origin =
                isOfSystem ? ConfigOrigin.system(path: text.path, line: line) : .file(path: text.path, line: line)
            try findings.add(ConfigValue(entry.node.value), at: path, of: setting, origin: origin)
            if path == HubKeys.enabledPluginsPath, case .array(let nodes) = entry.node.value {
                for node in nodes { reportUnknownPlugin(node) }
            }
        } catch {
            findings.problems.append(
                text.problem(
                    at: range(of: error.part, in: entry.node), "\(path) has an invalid value", note: error.note))
        }
    }

    private mutating func reportUnknown(_ entry: TOMLTable.Entry, below node: ConfigSchema.Node, path: [String]) {
        let isPlugin = path == ["plugins"]
        let names = node.children.keys.sorted()
        let nearest = Suggestion.nearest(to: entry.key, in: names)
        findings.problems.append(
            text.problem(
                at: entry.keyRange,
                "unknown \(isPlugin ? "plugin or setting" : "setting") \(ConfigPath(path + [entry.key]))",
                note: nearest.map { "did you mean \($0)?" } ?? "no such name", isWarning: true))
    }

    private mutating func reportUnknownPlugin(_ node: TOMLNode) {
        guard case .text(let id) = ConfigValue(node.value), !plugins.contains(id) else { return }
        findings.problems.append(
            text.problem(
                at: node.range, "no plugin named \"\(TerminalSanitizer.line(id))\"",
                note: Suggestion.nearest(to: id, in: plugins).map { "did you mean \($0)?" }
                    ?? "available plugins: \(plugins.joined(separator: ", "))", isWarning: true))
    }

    /// Returns the source range of a part of a value.
    private func range(of part: ConfigMismatch.Part?, in node: TOMLNode) -> TOMLRange {
        switch (part, node.value) {
        case (.element(let index)?, .array(let nodes)) where nodes.indices.contains(index): nodes[index].range
        case (.member(let name)?, .table(let table)): table.entry(name)?.node.range ?? node.range
        default: node.range
        }
    }
}
