/// The options that mean the same in every command and may be anywhere on the command line.
///
/// Each has an environment twin, `HUB_OFFLINE=1` for `--offline`; only `--help` and `--version`, which are commands in
/// disguise, have none.
package enum GlobalOptions {
    /// `-h`, `--help`: shows help instead of running the command.
    package static let help = Flag("help", short: "h", help: "show help for the command")
    /// `-v`, `--verbose`: prints more detail, also of errors.
    package static let verbose = Flag("verbose", short: "v", help: "print more detail", hasEnvironmentVariable: true)
    /// `-q`, `--quiet`: prints only errors and what needs attention.
    package static let quiet = Flag(
        "quiet", short: "q", help: "print only errors and what needs your attention", hasEnvironmentVariable: true)
    /// `-n`, `--dry-run`: prints the plan and changes nothing.
    package static let dryRun = Flag(
        "dry-run", short: "n", help: "show the exact plan and change nothing", hasEnvironmentVariable: true)
    /// `-y`, `--yes`: confirms without a question.
    package static let yes = Flag("yes", short: "y", help: "answer yes to every question", hasEnvironmentVariable: true)
    /// `--force`: overrides the safety check that suggested it.
    package static let force = Flag("force", help: "override the safety check that suggested --force")
    /// `-o`, `--output`: writes the result to a file, atomically.
    package static let output = Option<String>(
        "output", short: "o", "FILE", help: "write the result to FILE atomically", completion: .files([]),
        hasEnvironmentVariable: true)
    /// `--json[=FIELDS]`: prints JSON; the value `help` lists the fields.
    package static let json = Option<String>(
        "json", optionalValue: "FIELDS", ifBare: "", help: "print JSON (all or given fields; =help lists them)",
        hasEnvironmentVariable: true)
    /// `--plain[=FIELDS]`: prints tab-separated rows without a header.
    package static let plain = Option<String>(
        "plain", optionalValue: "FIELDS", ifBare: "", help: "print text: one row per line, tab-separated",
        hasEnvironmentVariable: true)
    /// `--format`: prints each row from a template.
    package static let format = Option<String>(
        "format", "TEMPLATE", help: "print rows from a template: '{name}\\t{email}'", hasEnvironmentVariable: true)
    /// `-z`, `--null`: ends rows with NUL.
    package static let null = Flag(
        "null", short: "z", help: "end rows with NUL instead of a newline", hasEnvironmentVariable: true)
    /// `--no-input`: never prompts.
    package static let input = Flag(
        "input", default: true, help: "never prompt; fail and name the option to use", hasEnvironmentVariable: true)
    /// `--offline`: allows no network access.
    package static let offline = Flag("offline", help: "do not use the network", hasEnvironmentVariable: true)
    /// `--no-progress`: hides the progress line.
    package static let progress = Flag(
        "progress", default: true, help: "do not show progress", hasEnvironmentVariable: true)
    /// `--no-pager`: prints long results without a pager.
    package static let pager = Flag("pager", default: true, help: "do not use a pager", hasEnvironmentVariable: true)
    /// `--color`: `auto`, `always` or `never`; `auto` depends on the terminal and `NO_COLOR`.
    package static let color = Option<ColorChoice>(
        "color", "WHEN", help: "use colour: auto, always or never", hasEnvironmentVariable: true)
    /// `--config`: reads another config file.
    package static let config = Option<String>(
        "config", "FILE", help: "use this config file", completion: .files(["toml"]), hasEnvironmentVariable: true)
    /// `--data`: uses another data folder.
    package static let data = Option<String>(
        "data", "DIR", help: "use this data folder", completion: .directories, hasEnvironmentVariable: true)
    /// `--version`: prints the version.
    package static let version = Flag("version", help: "show the version")

    /// All of them, in the order of the help.
    package static let all: [any ParameterDeclaration] = [
        help, verbose, quiet, dryRun, yes, force, output, json, plain, format, null, input, offline, progress, pager,
        color,
        config, data, version,
    ]

    /// Options of which at most one may be given.
    package static let exclusive = [["json", "plain", "format"], ["verbose", "quiet"]]
}

/// The use of colour.
package enum ColorChoice: String, ChoiceArgument {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    case auto
    case always
    case never
}

extension GlobalOptions {
    /// Returns the options before the name of an external command as environment variables, so that a hub called by
    /// that command honours them. `rest` are the options without a variable, such as `--help`.
    ///
    /// Nil when one of them is none that every command has.
    package static func environment(
        of arguments: some Sequence<String>
    ) -> (variables: [String: String], rest: [String])? {
        var variables: [String: String] = [:]
        var rest: [String] = []
        var tokens = Token.split(Array(arguments))[...]
        func set(_ parameter: Parameter, _ value: String, _ text: String) {
            guard let name = parameter.environmentName else { return rest.append(text) }
            variables[name] = value
        }
        while let token = tokens.popFirst() {
            switch token {
            case .end: break
            case .word: return nil
            case .long(let name, let value):
                let isNegated = name.hasPrefix("no-")
                if isNegated, let flag = parameter(where: { $0.name == name.dropFirst(3) }), !flag.takesValue {
                    set(flag, flag.kind == .flag(byDefault: true) ? "1" : "0", token.text)
                    continue
                }
                guard let parameter = parameter(where: { $0.name == name }) else { return nil }
                switch parameter.kind {
                case .flag(let byDefault): set(parameter, byDefault ? "0" : "1", token.text)
                case .optionalValue: set(parameter, value ?? "1", token.text)
                case .option, .argument:
                    guard let value = value ?? tokens.popFirst()?.text else { return nil }
                    set(parameter, value, token.text)
                }
            case .short(let letters):
                var letters = letters[...]
                while let letter = letters.popFirst() {
                    guard let parameter = parameter(where: { $0.short == letter }) else { return nil }
                    guard parameter.takesValue else {
                        set(parameter, "1", "-\(letter)")
                        continue
                    }
                    if letters.first == "=" { letters.removeFirst() }
                    guard let value = letters.isEmpty ? tokens.popFirst()?.text : String(letters) else { return nil }
                    set(parameter, value, "-\(letter)")
                    letters = ""
                }
            }
        }
        return (variables, rest)
    }

    private static func parameter(where matches: (Parameter) -> Bool) -> Parameter? {
        all.lazy.map(\.parameter).first(where: matches)
    }
}
