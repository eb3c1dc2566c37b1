/// The options that mean the same in every command and may stand anywhere on the command line.
///
/// Each has an environment twin, `HUB_OFFLINE=1` for `--offline`; only `--help` and `--version`, which are commands in
/// disguise, have none.
package enum GlobalOptions {
    package static let help = Flag("help", short: "h", help: "show help for the command")
    package static let verbose = Flag("verbose", short: "v", help: "print more detail", hasEnvironmentTwin: true)
    package static let quiet = Flag(
        "quiet", short: "q", help: "print only errors and what needs your attention", hasEnvironmentTwin: true)
    package static let dryRun = Flag(
        "dry-run", short: "n", help: "show the exact plan and change nothing", hasEnvironmentTwin: true)
    package static let yes = Flag("yes", short: "y", help: "answer yes to every question", hasEnvironmentTwin: true)
    package static let force = Flag("force", help: "override the safety check that suggested --force")
    package static let output = Option<String>(
        "output", short: "o", "FILE", help: "write the result to FILE atomically", completion: .files([]),
        hasEnvironmentTwin: true)
    package static let json = Option<String>(
        "json", optionalValue: "FIELDS", ifBare: "", help: "print JSON (all or given fields; =help lists them)",
        hasEnvironmentTwin: true)
    package static let plain = Option<String>(
        "plain", optionalValue: "FIELDS", ifBare: "", help: "print text: one row per line, tab-separated",
        hasEnvironmentTwin: true)
    package static let format = Option<String>(
        "format", "TEMPLATE", help: "print rows from a template: '{name}\\t{email}'", hasEnvironmentTwin: true)
    package static let null = Flag(
        "null", short: "z", help: "end rows with NUL instead of a newline", hasEnvironmentTwin: true)
    package static let input = Flag(
        "input", default: true, help: "never prompt; fail and name the option to use", hasEnvironmentTwin: true)
    package static let offline = Flag("offline", help: "do not use the network", hasEnvironmentTwin: true)
    package static let progress = Flag(
        "progress", default: true, help: "do not show progress", hasEnvironmentTwin: true)
    package static let pager = Flag("pager", default: true, help: "do not use a pager", hasEnvironmentTwin: true)
    package static let color = Option<ColorChoice>(
        "color", "WHEN", help: "use colour: auto, always or never", hasEnvironmentTwin: true)
    package static let config = Option<String>(
        "config", "FILE", help: "use this config file", completion: .files(["toml"]), hasEnvironmentTwin: true)
    package static let data = Option<String>(
        "data", "DIR", help: "use this data folder", completion: .directories, hasEnvironmentTwin: true)
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

/// When text is coloured.
package enum ColorChoice: String, ChoiceArgument {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    case auto
    case always
    case never
}
