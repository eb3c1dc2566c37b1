import Commands
import TOML

extension ConfigCommands {
    private static let value = Argument<String>(
        "VALUE", help: "new value; - reads it from stdin",
        completion: .following { host, before, _ in
            guard let name = before.first else { return [] }
            let manager = try host.plugin(ConfigManager.self)
            return manager.values(of: name).map { CompletionWord($0) }
        })

    static let set = Command(
        "set", summary: "set one value and leave the rest of the file unchanged",
        discussion: [
            "Separate the items of a list with commas, or write a list or table as in TOML. Comments, order and "
                + "layout of the file are kept."
        ],
        examples: [
            Example("hub config set hub.region PL", "treat phone numbers without + as Polish"),
            Example("hub config set plugins.enabled contacts,mintee", "set a list"),
        ], parameters: [key, value], changes: true
    ) { (manager: ConfigManager, input: Input) in
        let word = try await typedValue(input)
        let change = try manager.set(input[key], to: word, dryRun: input.dryRun)
        var output = Output.done(sentence(change, file: manager.file, isPlan: input.dryRun))
        if change.isSecret, case .text = change.new, input[value] != "-" {
            output = output.noting(
                .warning(
                    "the secret is now in the file and in your shell history", code: "secret-in-file",
                    hint: "hub config set \(change.path) '{ command = \"pass …\" }' keeps it out of the file"))
        }
        if let name = change.hiddenBy {
            output = output.noting(.warning("\(name) is set and overrides the file", code: "hidden-by-variable"))
        }
        return output
    }

    static let unset = Command(
        "unset", summary: "remove one value, so that its default applies",
        discussion: ["Comments, order and layout of the file are kept."],
        examples: [
            Example("hub config unset hub.region", "take the region from the locale again"),
            Example("hub config unset alias.c", "remove an alias"),
        ], parameters: [key], changes: true
    ) { (manager: ConfigManager, input: Input) in
        let removal = try manager.unset(input[key], dryRun: input.dryRun)
        guard let old = removal.old else { return .done("\(removal.path) is not in \(manager.file.shownPath)") }
        let verb = input.dryRun ? "Would remove" : "Removed"
        let rest = removal.defaultText.map { "; its default is \($0)" } ?? ""
        let sentence = "\(verb) \(removal.path) from \(manager.file.shownPath)\(rest)"
        if input.dryRun || removal.isSecret { return .done(sentence) }
        let word = if case .text(let text) = old { text } else { ConfigLiteral.toml(old) }
        let line = ShellWords.join(["hub", "config", "set", removal.path.description, word])
        return .done("\(sentence). To revert: \(line)")
    }

    static let edit = Command(
        "edit", summary: "edit the config file in your editor",
        discussion: [
            "The file is checked when you save; if it is not valid, you can edit it again, and your text is kept."
        ],
        examples: [
            Example("hub config edit", "create the file with every setting explained, if there is none"),
            Example("hub config edit --config new.toml", "edit another file"),
        ]
    ) { (manager: ConfigManager, input: Input) in
        if input.dryRun { return .done("Would open \(manager.file.shownPath) in the editor") }
        return switch try await manager.edit(input) {
        case .saved: .done("Saved \(manager.file.shownPath)")
        case .unchanged: .done("Nothing changed")
        case .dropped(let kept): .done("Nothing changed; your text is in \(kept)")
        }
    }

    static let initialize = Command(
        "init", summary: "write a config file with every setting explained",
        discussion: [
            "Every setting is commented out with its default, so the file has no effect until you uncomment a line."
        ],
        examples: [
            Example("hub config init", "write the file; it has no effect until you uncomment a line"),
            Example("hub config init --dry-run", "show the file that would be written"),
        ],
        changes: true
    ) { (manager: ConfigManager, input: Input) in
        if input.dryRun {
            return .text(
                ConfigTemplate.text(for: manager.schema).split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init))
        }
        let kept = try manager.writeTemplate(force: input[GlobalOptions.force])
        return .done("Wrote \(manager.file.shownPath)" + (kept.map { "; the previous file is kept as \($0)" } ?? ""))
    }

    /// Returns the value for `set`; one from standard input is read without its final newline.
    private static func typedValue(_ input: Input) async throws -> String {
        guard input[value] == "-" else { return input[value] }
        var bytes: [UInt8] = []
        for try await chunk in input.console.standardInput() {
            bytes += chunk
            guard bytes.count <= TOML.maximumSize else {
                throw HubError(.invalid, code: "too-large", "the value on stdin is larger than 1 MiB")
            }
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `hub.region = "PL" in ~/.config/hub/config.toml. To revert: hub config set hub.region DE`.
    private static func sentence(_ change: ConfigManager.Change, file: ConfigFile, isPlan: Bool) -> String {
        let shown = change.isSecret ? "a secret" : ConfigLiteral.toml(change.new)
        let sentence = "\(change.path) = \(shown) in \(file.shownPath)"
        if isPlan { return "Would set \(sentence)" }
        if !change.wasWritten { return "\(sentence). To revert: hub config unset \(change.path)" }
        guard let old = change.old, !change.isSecret else { return "\(sentence). To revert: hub config edit" }
        let word = if case .text(let text) = old { text } else { ConfigLiteral.toml(old) }
        return "\(sentence). To revert: " + ShellWords.join(["hub", "config", "set", change.path.description, word])
    }
}
