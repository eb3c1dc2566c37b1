import Commands
import Testing

/// A small tree with one of each kind that the parser must distinguish.
enum SampleCommands {
    enum Order: String, ChoiceArgument { case name, changed }

    static let words = Arguments<String>("WORD", .zeroOrMore)
    static let tag = Option<[String]>("tag", short: "t", "TAG", help: "only with this tag")
    static let limit = SharedOptions.limit
    static let all = Flag("all", short: "a", help: "everything")
    static let sort = Option<Order>("sort", "FIELD", help: "the order")
    static let selectors = Arguments<String>("SEL", .oneOrMore)
    static let amount = Argument<Int>("AMOUNT")
    static let day = Arguments<DateExpression>("DATE", .optional)

    static let list = Command(
        "list", summary: "list contacts", parameters: [words, tag, limit, all, sort], exclusive: [["all", "tag"]]
    ) { (_: any PluginHost, input: Input) in
        .text(input[words] + input[tag])
    }

    static let remove = Command("rm", summary: "to the trash", parameters: [selectors], changes: true) {
        (_: any PluginHost, _: Input) in .nothing
    }

    static let add = Command("add", summary: "add a number", parameters: [amount, day]) {
        (_: any PluginHost, _: Input) in .nothing
    }

    static let prune = Command("prune", summary: "forget old history") { (_: any PluginHost, _: Input) in .nothing }

    static let history = Command(
        "history", summary: "what happened", parameters: [words], subcommands: [prune]
    ) { (_: any PluginHost, _: Input) in .nothing }

    static let contacts = Command(
        group: "contacts", aliases: ["contact"], nouns: ["contacts", "contact"], summary: "people", view: "list",
        subcommands: [list, remove, add])

    static let server = Command(
        group: "server", summary: "the server",
        subcommands: [
            Command("status", summary: "its state") { (_: any PluginHost, _: Input) in .nothing }
        ])

    static let root = Command(
        group: "hub", summary: "keeps things", subcommands: [contacts, history, server])

    static func parse(_ line: String, environment: [String: String] = [:]) throws -> ParsedCommand {
        let words = try #require(ShellWords.split(line))
        return try CommandLineParser(root: root, environment: environment).parse(words)
    }

    /// The error of a command line that must not be understood.
    static func error(_ line: String, environment: [String: String] = [:]) throws -> ParseError? {
        do throws(ParseFailure) {
            let words = ShellWords.split(line) ?? []
            _ = try CommandLineParser(root: root, environment: environment).parse(words)
            return nil
        } catch {
            return error.error
        }
    }
}
