import HubKit
import TOML

extension ConfigCommands {
    private static let value = Argument<String>("VALUE", help: "the value; - reads it from standard input")

    static let set = Command(
        "set", summary: "set one value; all else in the file stays as it is",
        discussion: [
            "A list is typed with commas or as TOML writes it, a table as TOML writes it. Comments, order and layout of "
                + "the file are kept."
        ],
        examples: [
            Example("hub config set hub.region PL", "a phone number without + is Polish"),
            Example("hub config set plugins.enabled contacts,notes", "a list"),
        ], parameters: [key, value], changes: true
    ) { (desk: ConfigDesk, input: Input) in
        let word = try await typedValue(input)
        let change = try desk.set(input[key], to: word, dryRun: input.dryRun)
        var output = Output.done(sentence(change, file: desk.file, isPlan: input.dryRun))
        if change.isSecret, case .text = change.new, input[value] != "-" {
            output = output.noting(
                .warning(
                    "the secret stands in the file, and in your shell's history too", code: "secret-in-file",
                    hint: "hub config set \(change.path) '{ command = \"pass …\" }' keeps it elsewhere"))
        }
        if let name = change.hiddenBy {
            output = output.noting(.warning("\(name) is set and wins over the file", code: "hidden-by-variable"))
        }
        return output
    }

    static let edit = Command(
        "edit", summary: "change the config file in your editor",
        discussion: ["What you save is checked before it counts, and never lost."],
        examples: [
            Example("hub config edit", "a new file starts with every setting explained"),
            Example("hub config edit --config new.toml", "another file"),
        ]
    ) { (desk: ConfigDesk, input: Input) in
        switch try await EditConfig(desk: desk)(input) {
        case .saved: .done("\(desk.file.shownPath) is saved")
        case .unchanged: .done("Nothing changed")
        case .dropped(let kept): .done("Nothing changed; your text is kept in \(kept)")
        }
    }

    static let initialize = Command(
        "init", summary: "write a config file with every setting explained",
        discussion: ["Every setting is commented out with its default, so the file changes nothing by itself."],
        examples: [
            Example("hub config init", "changes nothing until you free a line"),
            Example("hub config init --dry-run", "show the file that would be written"),
        ],
        changes: true
    ) { (desk: ConfigDesk, input: Input) in
        if input.dryRun {
            return .text(
                ConfigTemplate.text(for: desk.schema).split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init))
        }
        let kept = try desk.writeTemplate(force: input[GlobalOptions.force])
        return .done("\(desk.file.shownPath) is written" + (kept.map { ", the old one is kept in \($0)" } ?? ""))
    }

    /// The value of `set`; from standard input without its last line end.
    private static func typedValue(_ input: Input) async throws -> String {
        guard input[value] == "-" else { return input[value] }
        var bytes: [UInt8] = []
        for try await chunk in input.interaction.standardInput() {
            bytes += chunk
            guard bytes.count <= TOML.maximumSize else {
                throw HubError(.invalid, code: "too-large", "the value on standard input is larger than 1 MiB")
            }
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `hub.region = "PL" in ~/.config/hub/config.toml. Back: hub config set hub.region DE`.
    private static func sentence(_ change: ConfigDesk.Change, file: ConfigFile, isPlan: Bool) -> String {
        let shown = change.isSecret ? "a secret" : ConfigWord.toml(change.new)
        let sentence = "\(change.path) = \(shown) in \(file.shownPath)"
        if isPlan { return "Would set \(sentence)" }
        guard let old = change.old, !change.isSecret else { return "\(sentence). Back: hub config edit" }
        let word = if case .text(let text) = old { text } else { ConfigWord.toml(old) }
        return "\(sentence). Back: " + ShellWords.join(["hub", "config", "set", change.path.description, word])
    }
}
