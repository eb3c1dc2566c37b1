import Commands
import HubKit

/// `hub show`: shows an item of any plugin like that plugin's own `show`.
enum ShowCommand {
    private static let reference = Argument<String>(
        "REF", help: "item as plugin:id, as shown by hub search", completion: references)

    /// Things as `plugin:id`: the plugins first, then what the plugin's own `show` takes.
    static let references = Completion.dynamic { host, typed in
        let hub = try host.plugin(Hub.self)
        guard let colon = typed.firstIndex(of: ":") else {
            return try hub.enabledDescriptors().map { CompletionWord($0.id + ":", $0.summary) }
        }
        let plugin = String(typed[..<colon])
        let show = hub.descriptors.first { $0.id == plugin }?.command.subcommand(named: "show")
        guard case .dynamic(let words)? = show?.arguments.first?.completion else { return [] }
        return try await words(host, String(typed[typed.index(after: colon)...])).map { $0.joined(to: plugin + ":") }
    }

    /// `root` gives the whole tree, in which the plugin's command is found.
    static func command(root: @escaping @Sendable () -> Command) -> Command {
        Command(
            "show", summary: "show an item of any plugin",
            examples: [
                Example("hub show contacts:7kt", "show one contact"),
                Example("hub show contacts:7kt --json", "print it as JSON"),
            ], prominence: .full, parameters: [reference]
        ) { (host: any PluginHost, input: Input) in
            let parts = input[reference].split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, root().subcommand(named: parts[0])?.subcommand(named: "show") != nil else {
                throw HubError(
                    .usage, code: "no-reference", "\"\(input[reference])\" is not an item",
                    hint: "use plugin:id, such as contacts:7kt; hub search shows ids")
            }
            do {
                let parsed = try CommandLineParser(root: root()).parse([parts[0], "show", parts[1]])
                guard let run = parsed.command.run else { return .nothing }
                return try await run(host, parsed.input(console: input.console))
            } catch let failure as ParseFailure {
                throw failure.hubError
            }
        }
    }
}
