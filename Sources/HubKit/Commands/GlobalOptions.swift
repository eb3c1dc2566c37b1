/// The options that mean the same in every command and may stand anywhere on the command line.
///
/// Each has an environment twin, `HUB_OFFLINE=1` for `--offline`; only `--help` and `--version`, which are commands in
/// disguise, have none.
package enum GlobalOptions {
    package static let help = Flag("help", short: "h", help: "show help for the command")
    package static let verbose = Flag("verbose", short: "v", help: "tell more", hasEnvironmentTwin: true)
    package static let quiet = Flag(
        "quiet", short: "q", help: "tell only errors and what needs you", hasEnvironmentTwin: true)
    package static let dryRun = Flag(
        "dry-run", short: "n", help: "show the exact plan, change nothing", hasEnvironmentTwin: true)
    package static let yes = Flag("yes", short: "y", help: "answer every question with yes", hasEnvironmentTwin: true)
    package static let force = Flag("force", help: "pass the guard that named this option", hasEnvironmentTwin: true)
    package static let output = Option<String>(
        "output", short: "o", "FILE", help: "write the result to FILE, whole or not at all", completion: .files([]),
        hasEnvironmentTwin: true)
    package static let json = Option<String>(
        "json", optionalValue: "FIELDS", ifBare: "", help: "as JSON: all fields, those named, or help to list them",
        hasEnvironmentTwin: true)
    package static let plain = Option<String>(
        "plain", optionalValue: "FIELDS", ifBare: "", help: "as text: one row a line, fields parted by tabs",
        hasEnvironmentTwin: true)
    package static let format = Option<String>(
        "format", "TEMPLATE", help: "each row by a template, such as '{name}\\t{email}'", hasEnvironmentTwin: true)
    package static let null = Flag(
        "null", short: "z", help: "end rows with NUL instead of a line end", hasEnvironmentTwin: true)
    package static let input = Flag(
        "input", default: true, help: "never ask; fail and name the option instead", hasEnvironmentTwin: true)
    package static let offline = Flag("offline", help: "do not use the network", hasEnvironmentTwin: true)
    package static let progress = Flag(
        "progress", default: true, help: "do not show progress", hasEnvironmentTwin: true)
    package static let pager = Flag("pager", default: true, help: "do not use a pager", hasEnvironmentTwin: true)
    package static let color = Option<ColorChoice>(
        "color", "WHEN", help: "colour: auto, always or never", hasEnvironmentTwin: true)
    package static let config = Option<String>(
        "config", "FILE", help: "use this configuration file", completion: .files(["toml"]), hasEnvironmentTwin: true)
    package static let data = Option<String>(
        "data", "DIR", help: "keep the database in this folder", completion: .directories, hasEnvironmentTwin: true)
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
