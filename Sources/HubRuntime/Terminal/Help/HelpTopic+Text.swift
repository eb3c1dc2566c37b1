import Commands

extension HelpTopic {
    /// The blocks of the page, in order.
    var blocks: [Block] {
        switch self {
        case .environment: HelpTopic.environmentBlocks
        case .exitCodes: HelpTopic.exitCodeBlocks
        case .formatting: HelpTopic.formattingBlocks
        case .files: HelpTopic.fileBlocks
        case .config: HelpTopic.configBlocks
        }
    }

    private static var environmentBlocks: [Block] {
        let twins = GlobalOptions.all.map(\.parameter).compactMap { parameter in
            parameter.environmentName.map { (term: $0, meaning: parameter.usage) }
        }
        return [
            .paragraph(
                "Defaults for options; switches take 1 or 0, and options that take fields accept 1 for all fields:"),
            .definitions(twins),
            .paragraph("Others:"),
            .definitions([
                ("NO_COLOR", "disables colour when set to any non-empty value"),
                ("CLICOLOR, CLICOLOR_FORCE", "0 disables colour; 1 forces colour, even in a pipe"),
                ("HUB_PAGER, PAGER, LESS", "pager for long results, empty for none; LESS defaults to FRX"),
                ("VISUAL, EDITOR", "editor"),
                ("HUB_DEBUG", "1 shows the code and causes of every error, like --verbose"),
                ("COLUMNS, LINES", "overrides the detected terminal size"),
                ("LC_ALL, LC_CTYPE, LANG", "locale; ASCII glyphs are used without UTF-8"),
                ("XDG_CONFIG_HOME, XDG_DATA_HOME", "folders for the config file and data: hub help files"),
            ]),
        ]
    }

    private static var exitCodeBlocks: [Block] {
        [
            .paragraph("Any other code is a failure; more codes may be added."),
            .definitions([
                ("0", "success, including an empty list"),
                ("1", "no match, not found, or a check failed"),
                ("2", "partial: some items were skipped or a conflict remains; the rest was done"),
                ("64", "usage error, or a question that could not be asked without a terminal"),
                ("65", "unreadable input"),
                ("69", "server or device cannot be reached"),
                ("70", "internal error"),
                ("74", "output could not be written"),
                ("75", "temporary failure: rate limit, busy database or full disk"),
                ("77", "permission denied or wrong password"),
                ("78", "invalid configuration"),
                ("130, 143", "interrupted (SIGINT), terminated (SIGTERM)"),
                ("141", "output pipe closed by its reader (SIGPIPE)"),
            ]),
        ]
    }

    private static var formattingBlocks: [Block] {
        [
            .definitions([
                ("--json", "all fields; lists are arrays, streams one object per line"),
                ("--json=name,tags", "the given fields, in this order"),
                ("--json=help", "list the available fields"),
                ("--plain[=FIELDS]", "one row per line, tab-separated, no header, full ids"),
                (
                    "--format TEMPLATE",
                    "each row from a template: '{name}\\t{email}', with \\t \\n \\0 and {{ for a brace"
                ),
                ("-z, --null", "end rows with NUL, for xargs -0"),
                ("-o, --output FILE", "write to a file, atomically"),
            ]),
            .paragraph(
                "Tables fit the terminal and are never cut in a pipe. Times are relative on a terminal (\"2 min "
                    + "ago\") and RFC 3339 in UTC in every other form. Money and other exact decimals are strings in "
                    + "JSON. Fields are only ever added, never removed."),
            .paragraph(
                "Results go to stdout, everything else to stderr. With --json, errors and notes are objects too: "
                    + "{\"error\":{\"code\",\"exit\",\"message\",\"hint\"}}."),
        ]
    }

    private static var fileBlocks: [Block] {
        [
            .definitions([
                ("~/.config/hub/config.toml", "config file; --config chooses another"),
                ("~/.local/share/hub/hub.db", "your data, in one SQLite database; --data chooses another folder"),
                ("~/.local/share/hub/", "large files such as recordings, and backups"),
                ("~/.cache/hub/", "cache, safe to delete"),
                ("$XDG_RUNTIME_DIR/hub/", "sockets of running processes"),
            ]),
            .paragraph("hub doctor checks these files, hub backup backs them up."),
        ]
    }

    private static var configBlocks: [Block] {
        [
            .paragraph(
                "Command-line options override the environment, which overrides the config file, which overrides the "
                    + "defaults. No config file is needed."),
            .paragraph(
                "hub config init writes a file with every setting explained and commented out. hub config list "
                    + "--origin shows where each value comes from. hub config check reports mistakes."),
            .paragraph(
                "[alias] defines short names for commands: with c = \"contacts search\", hub c ada searches contacts. "
                    + "An alias cannot replace a built-in command."),
        ]
    }
}
