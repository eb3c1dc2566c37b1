import HubKit

extension HelpTopic {
    /// The page, part by part.
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
            .paragraph("Options, unless the command line gives them; switches are 1 or 0, also for all fields:"),
            .definitions(twins),
            .paragraph("Others:"),
            .definitions([
                ("NO_COLOR", "no colour, whatever its value, unless it is empty"),
                ("CLICOLOR, CLICOLOR_FORCE", "0 means no colour; 1 means colour even in a pipe"),
                ("HUB_PAGER, PAGER, LESS", "the pager of long results, none when empty; LESS is FRX unless set"),
                ("VISUAL, EDITOR", "the editor"),
                ("HUB_DEBUG", "1 shows the code and the causes of every error, as --verbose does"),
                ("COLUMNS, LINES", "the size of the terminal, when it is not to be asked"),
                ("LC_ALL, LC_CTYPE, LANG", "the locale; one without UTF-8 gets ASCII glyphs"),
                ("XDG_CONFIG_HOME, XDG_DATA_HOME", "the folders of configuration and data: hub help files"),
            ]),
        ]
    }

    private static var exitCodeBlocks: [Block] {
        [
            .paragraph("Any other code is a failure; codes may be added."),
            .definitions([
                ("0", "done; an empty list is done too"),
                ("1", "no: nothing matches, it is not there, or a check failed"),
                ("2", "partly: items were skipped or a conflict was kept, the rest is done"),
                ("64", "the command line is wrong, or a question has nobody to answer it"),
                ("65", "input that cannot be read"),
                ("69", "the other side is away"),
                ("70", "a bug in hub"),
                ("74", "the output could not be written"),
                ("75", "try later: a rate limit, a busy database, a full disk"),
                ("77", "not allowed, or a wrong password"),
                ("78", "the configuration is wrong"),
                ("130, 143", "ended by Ctrl-C, by a request to stop"),
                ("141", "the reader of the output went away"),
            ]),
        ]
    }

    private static var formattingBlocks: [Block] {
        [
            .definitions([
                ("--json", "all fields; a list is an array, a stream one object a line"),
                ("--json=name,tags", "these fields, in this order"),
                ("--json=help", "the fields there are"),
                ("--plain[=FIELDS]", "one row a line, fields parted by tabs, no header, whole ids"),
                (
                    "--format TEMPLATE",
                    "each row by a template: '{name}\\t{email}', with \\t \\n \\0 and {{ for a brace"
                ),
                ("-z, --null", "rows end with NUL, for xargs -0"),
                ("-o, --output FILE", "into a file, whole or not at all"),
            ]),
            .paragraph(
                "A table fits the terminal; in a pipe nothing is cut. Moments are near words on a terminal, RFC 3339 in "
                    + "UTC in every other form. Money and other exact decimals are strings in JSON. Fields are only "
                    + "ever added."),
            .paragraph(
                "Results go to stdout, all else to stderr. With --json errors and notes are objects too: "
                    + "{\"error\":{\"code\",\"exit\",\"message\",\"hint\"}}."),
        ]
    }

    private static var fileBlocks: [Block] {
        [
            .definitions([
                ("~/.config/hub/config.toml", "the configuration; --config names another"),
                ("~/.local/share/hub/hub.db", "all that is kept, one SQLite database; --data names another folder"),
                ("~/.local/share/hub/", "beside it large files such as recordings, and backups"),
                ("~/.cache/hub/", "what can be made again"),
                ("$XDG_RUNTIME_DIR/hub/", "sockets of running processes"),
            ]),
            .paragraph("hub doctor checks them, hub backup copies them."),
        ]
    }

    private static var configBlocks: [Block] {
        [
            .paragraph(
                "An option of the command line wins over the environment, that over the file, that over what is built "
                    + "in. Without a file everything works."),
            .paragraph(
                "hub config init writes a file in which every setting is explained and commented out. hub config list "
                    + "--origin tells where each value comes from. hub config check finds mistakes."),
            .paragraph(
                "[alias] gives a name to a command line: c = \"contacts search\" makes hub c ada. An alias hides no "
                    + "command."),
        ]
    }
}
