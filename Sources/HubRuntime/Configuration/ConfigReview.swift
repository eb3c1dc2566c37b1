import Commands
import Storage
import TOML

/// Finds entries of a config file that have the right form and still do not work: hooks that cannot run, aliases
/// without a command. Each is a warning, because the rest still works.
struct ConfigReview {
    private let text: ConfigText
    private let schema: ConfigSchema
    private let environment: [String: String]

    /// Reviews `text` by the topics and commands that `schema` knows, and the programs in the `PATH` of `environment`.
    init(_ text: ConfigText, schema: ConfigSchema, environment: [String: String]) {
        self.text = text
        self.schema = schema
        self.environment = environment
    }

    /// All of it, in the order of the file; nothing when the text is not TOML.
    var problems: [ConfigProblem] {
        guard let root = try? TOML.parse(text.bytes) else { return [] }
        return entries(of: "hooks", in: root).flatMap(hook) + entries(of: "alias", in: root).compactMap(alias)
    }

    private func entries(of table: String, in root: TOMLTable) -> [TOMLTable.Entry] {
        guard case .table(let table)? = root.entry(table)?.node.value else { return [] }
        return table.entries
    }

    private func hook(_ entry: TOMLTable.Entry) -> [ConfigProblem] {
        guard case .table(let members) = entry.node.value else { return [] }
        func word(_ member: String) -> String? {
            guard case .text(let text)? = members.entry(member).map({ ConfigValue($0.node.value) }) else { return nil }
            return text
        }
        do throws(CommandHook.Flaw) {
            let hook = try CommandHook(name: entry.key, topic: word("on"), command: word("run"))
            guard !isPossible(hook.pattern), let place = members.entry("on") else { return [] }
            let names = schema.topics().map(\.text)
            let nearest = Suggestion.nearest(to: hook.pattern.text, in: names)
            return [
                text.problem(
                    at: place.node.range, "no plugin has the topic \(hook.pattern)",
                    note: nearest.map { "did you mean \($0)?" } ?? "your own topics look like app.user/tea-ready",
                    isWarning: true)
            ]
        } catch {
            let place = error.member.flatMap { members.entry($0)?.node.range } ?? entry.keyRange
            return [text.problem(at: place, error.message, note: error.note, isWarning: true)]
        }
    }

    /// Whether an event of a plugin or one of the user's own can match.
    private func isPossible(_ pattern: TopicPattern) -> Bool {
        let topics = schema.topics()
        if topics.isEmpty || topics.contains(where: pattern.matches) { return true }
        // A user's own topic may have any name after `app.user/`.
        let own = "app.user/"
        let fixed = pattern.text.prefix { $0 != "*" }
        return fixed.hasPrefix(own) || (own.hasPrefix(fixed) && pattern.text != fixed)
    }

    private func alias(_ entry: TOMLTable.Entry) -> ConfigProblem? {
        guard case .text(let line) = ConfigValue(entry.node.value) else { return nil }
        if schema.isCommand(entry.key) {
            return text.problem(
                at: entry.keyRange, "the alias \(entry.key) is never used", note: "\(entry.key) is a built-in command",
                isWarning: true)
        }
        guard let words = ShellWords.split(line), let first = words.first(where: { !$0.hasPrefix("-") }) else {
            return text.problem(
                at: entry.node.range, "the alias \(entry.key) is not a valid command line",
                note: "expected words such as \"contacts search\"", isWarning: true)
        }
        if schema.isCommand(first) || ExecutablePath.first(of: ["hub-\(first)"], in: environment) != nil { return nil }
        return text.problem(
            at: entry.node.range, "the alias \(entry.key) runs a command that does not exist",
            note: "hub has no command \"\(first)\"", isWarning: true)
    }
}
