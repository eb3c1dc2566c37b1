package import Commands

/// Writes the help of commands from their table.
package struct HelpRenderer: Sendable {
    private let root: Command
    private let width: Int
    /// The plugins that are built in and disabled.
    private let disabled: Set<String>

    /// The column of the second hint in a line, such as the example next to a plugin.
    private static let exampleColumn = 48
    /// The number of lines of a screen.
    private static let screen = 24

    /// Help for the commands below `root`, wrapped to `width` columns but no wider than is easy to read.
    package init(root: Command, width: Int, disabled: Set<String> = []) {
        self.root = root
        self.disabled = disabled
        self.width = min(max(width, 40), 100)
    }

    /// The help that fits a screen. `notes` are lines that close the help of the whole program.
    package func short(_ command: Command, path: [String], notes: [String] = []) -> [String] {
        if command.name == root.name, path.count == 1 { return program(notes: notes) }
        let (before, after) = (
            head(command, path) + examples(command), subcommands(command, path) + tail(command, path)
        )
        return before + parameters(command, room: Self.screen - before.count - after.count - 2) + after
    }

    /// The whole help: also what is said at length, the options that all commands share, and the fields.
    package func long(_ command: Command, path: [String]) -> [String] {
        var lines = head(command, path)
        for paragraph in command.discussion { lines += [""] + TextLayout.wrap(paragraph, to: width) }
        lines += examples(command) + parameters(command, room: nil)
        if !command.subcommands.isEmpty { lines += ["", "Commands:"] + everyCommand(below: command, path) }
        if !command.fields.isEmpty {
            lines += ["", "Fields for --json, --plain and --format:"]
            lines += TextLayout.definitions(command.fields.map { ($0.name, $0.help) }, width: width)
        }
        return lines + ["", "Options of every command:"] + options(GlobalOptions.all.map(\.parameter))
    }

    /// The first screen of the whole program.
    private func program(notes: [String]) -> [String] {
        let visible = root.subcommands.filter { !$0.isHidden }
        var lines = ["\(root.name) \(root.summary)"]
        lines.append(
            TextLayout.pad("Usage: hub <command> [options]", to: HelpRenderer.exampleColumn)
                + "hub help <command> tells more")
        lines.append("")
        let main = visible.filter { $0.prominence == .main }
        let nameWidth = (main.map(\.name.count).max() ?? 0) + 3
        for command in main {
            let isDisabled = disabled.contains(command.name)
            var line = "  " + TextLayout.pad(command.name, to: nameWidth) + (isDisabled ? "disabled" : command.summary)
            if isDisabled {
                line = TextLayout.pad(line, to: HelpRenderer.exampleColumn) + "hub plugins enable \(command.name)"
            } else if command.run == nil, let example = command.examples.first {
                line = TextLayout.pad(line, to: HelpRenderer.exampleColumn) + example.command
            }
            lines.append(line)
        }
        let names = visible.filter { $0.prominence == .more }.map(\.name) + ["help --all"]
        lines += wrapped(names)
        return notes.isEmpty ? lines : lines + [""] + notes
    }

    private func head(_ command: Command, _ path: [String]) -> [String] {
        let name = path.joined(separator: " ")
        return TextLayout.wrap("\(name): \(command.summary)", to: width) + ["Usage: \(command.usage(path: path))"]
    }

    private func examples(_ command: Command) -> [String] {
        guard !command.examples.isEmpty else { return [] }
        return ["", "Examples:"]
            + TextLayout.definitions(command.examples.map { ($0.command, $0.summary) }, limit: 44, width: width)
    }

    /// The arguments and options. Of more than `room` lines, the last options are named only.
    private func parameters(_ command: Command, room: Int?) -> [String] {
        let arguments = command.arguments.filter { !$0.help.isEmpty }
        let all = arguments + command.options.filter { !$0.isHidden }
        guard !all.isEmpty else { return [] }
        var lines = options(all)
        var shown = all.count
        while let room, lines.count > room, shown > arguments.count + 1 {
            shown -= 1
            lines = options(Array(all.prefix(shown))) + wrapped(all.dropFirst(shown).map(\.usage))
        }
        return ["", "Options:"] + lines
    }

    private func options(_ parameters: [Parameter]) -> [String] {
        TextLayout.definitions(
            parameters.map { ($0.declaration, $0.explanation) }, limit: 28, width: width)
    }

    private func subcommands(_ command: Command, _ path: [String]) -> [String] {
        let visible = command.subcommands.filter { !$0.isHidden }
        guard !visible.isEmpty else { return [] }
        let main = visible.filter { $0.prominence == .main }
        let more = visible.filter { $0.prominence == .more }.map(\.name)
        return ["", "Commands:"] + TextLayout.definitions(main.map { ($0.name, $0.summary) }, width: width)
            + wrapped(more)
    }

    private func tail(_ command: Command, _ path: [String]) -> [String] {
        let target = (["hub", "help"] + path.dropFirst()).joined(separator: " ")
        if command.run == nil { return ["", "More: \(target) <command>"] }
        let options = "All options: \(target) --all"
        if command.fields.isEmpty { return ["", options] }
        let both = "Output formats: hub help formatting. \(options)"
        return both.count <= width ? ["", both] : ["", "Output formats: hub help formatting", options]
    }

    private func everyCommand(below command: Command, _ path: [String]) -> [String] {
        var items: [(String, String)] = []
        func collect(_ command: Command, _ path: [String]) {
            for next in command.subcommands where !next.isHidden {
                let words = path + [next.name]
                if path.isEmpty, command.name == root.name, disabled.contains(next.name) {
                    items.append((next.name, "disabled; hub plugins enable \(next.name)"))
                    continue
                }
                if next.run != nil { items.append((words.joined(separator: " "), next.summary)) }
                collect(next, words)
            }
        }
        collect(command, Array(path.dropFirst()))
        return TextLayout.definitions(items, width: width)
    }

    private func wrapped(_ names: [String]) -> [String] {
        names.isEmpty ? [] : TextLayout.wrap(names.joined(separator: ", "), to: width - 2).map { "  " + $0 }
    }
}

extension Parameter {
    /// The declaration in help: `-t, --tag TAG`, ` --limit N`, `WORD…`.
    var declaration: String {
        guard isOption else { return String(usage.filter { $0 != "[" && $0 != "]" }) }
        let letter = short.map { "-\($0), " } ?? "    "
        return switch kind {
        case .option: "\(letter)\(usage) \(valueName)"
        case .optionalValue: "\(letter)\(usage)[=\(valueName)]"
        default: letter + usage
        }
    }

    /// The help text with the possible values.
    var explanation: String {
        guard let choices, !help.contains(choices.first ?? "") else { return help }
        return "\(help): \(choices.joined(separator: ", "))"
    }
}
