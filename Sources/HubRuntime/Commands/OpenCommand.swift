import Commands
import DBus
import Glibc
import HubKit

/// `hub open`: the page in the browser, or files that other programs hand to hub.
enum OpenCommand {
    private static let targets = Arguments<String>(
        "WHAT", .zeroOrMore, help: "item as plugin:id, plugin, or file to import", completion: ShowCommand.references)

    static let command = Command(
        "open", summary: "open the web page in the browser, or import a file",
        discussion: [
            "Files are imported by the plugin that knows them: vCards by contacts, calendars by mintee, Markdown by notes, sound by "
                + "dictofun. Without a terminal, as from a file manager, hub serve asks in a notification first."
        ],
        examples: [
            Example("hub open", "open the first page, logged in"),
            Example("hub open contacts:7kt", "open one contact"),
            Example("hub open --dry-run people.vcf", "show what an import would do"),
        ], prominence: .full, parameters: [targets], changes: true
    ) { (hub: Hub, input: Input) in
        let plugins = try hub.enabledDescriptors().map(\.id)
        let directory = Directories.absolute(".", home: hub.environment.home)
        let targets = try (input[targets].isEmpty ? [""] : input[targets]).map { text in
            text.isEmpty ? .page("/") : try OpenTarget(text, in: directory, plugins: plugins)
        }
        if !input.console.isInteractive, !input.dryRun, !input.yes, targets.contains(where: \.isFile) {
            return try await handOver(targets.compactMap(\.path))
        }
        var output = Output.nothing
        for target in targets {
            switch target {
            case .file(let path):
                let file = try FileImport(path, hub)
                let done = try await file.run(isPlan: input.dryRun, console: input.console)
                if targets.count == 1 { return done }
                output = Output.text((output.human ?? []) + (done.human ?? []))
                output.human = (output.human ?? []) + (done.human ?? [])
            case .page(let path):
                if input.dryRun { return .done("Would open \(path) of the web page in the browser") }
                let opener = PageOpener(hub)
                try await opener.open(try await opener.link(to: path), on: nil)
            }
        }
        return output
    }

    /// Lets `hub serve` ask for files that were opened where no terminal is.
    private static func handOver(_ paths: [String]) async throws -> Output {
        do {
            let connection = try await DBusConnection.open(try DBusAddress.session())
            _ = try await connection.call(
                DesktopIdentity.id, path: DesktopIdentity.path, interface: DesktopApplication.interface, member: "Open",
                [.strings(paths), .properties([:])], timeout: .seconds(60))
            await connection.close()
        } catch {
            throw HubError(
                .unavailable, code: "cannot-ask", "the import needs a confirmation, and hub serve cannot ask for it",
                details: ["\(error)"], hint: "hub service install, or hub open in a terminal")
        }
        return .done("hub serve asks in a notification")
    }
}

extension OpenTarget {
    /// Whether it is a file.
    fileprivate var isFile: Bool { path != nil }

    /// The path of a file.
    fileprivate var path: String? { if case .file(let path) = self { path } else { nil } }
}
