import Commands
import HubKit
import WebServer

/// The import of a file that was opened with hub, by the command of the plugin that knows such files.
struct FileImport: Sendable {
    /// The path of the file.
    let path: String
    /// The words of the command.
    let command: [String]
    private let hub: Hub

    /// Finds the enabled plugin that imports files of this name. Throws `usage` when none does.
    init(_ path: String, _ hub: Hub) throws {
        self.hub = hub
        self.path = path
        let descriptors = try hub.enabledDescriptors()
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        for descriptor in descriptors {
            guard let opener = descriptor.openers.first(where: { $0.extensions.contains(end) }) else { continue }
            command = [descriptor.id] + opener.command
            return
        }
        let known = descriptors.flatMap { $0.openers.flatMap { $0.extensions.sorted() } }.joined(separator: ", ")
        throw HubError(
            .usage, code: "file-unknown", "hub does not open files such as \(TerminalSanitizer.line(name))",
            hint: "it opens files with the extensions \(known)")
    }

    /// The command line, as a person would type it.
    var commandLine: String { "hub " + ShellWords.join(command + [path]) }

    /// Runs the command; a plan changes nothing.
    func run(isPlan: Bool, console: any Console = SilentConsole()) async throws -> Output {
        let commands = try hub.enabledDescriptors().map(\.command)
        let root = Command(group: "hub", summary: "", subcommands: commands)
        let parsed: ParsedCommand
        do throws(ParseFailure) {
            parsed = try CommandLineParser(root: root).parse(command + (isPlan ? ["--dry-run"] : []) + ["--", path])
        } catch { throw error.hubError }
        guard let run = parsed.command.run else { return .nothing }
        return try await run(hub, parsed.input(console: console))
    }
}

/// Something that is opened with hub.
enum OpenTarget: Equatable {
    /// The page, at a path of it.
    case page(String)
    /// A file, by its absolute path.
    case file(String)

    /// Reads a word or an address: `contacts:7kt`, `hub:contacts/7kt`, a path, or a `file:` URL of this machine.
    init(_ text: String, in directory: String, plugins: [String]) throws {
        if let address = text.withoutPrefix("file://") {
            let path = address.withoutPrefix("localhost") ?? address
            guard path.hasPrefix("/"), let decoded = PercentEncoding.decode(path) else {
                throw HubError(
                    .usage, code: "file-elsewhere", "\(TerminalSanitizer.line(text)) is not a file of this machine",
                    hint: "copy it here first")
            }
            self = .file(decoded)
            return
        }
        if text.hasPrefix("/") {
            self = .file(text)
            return
        }
        let reference = text.withoutPrefix("hub:").map { $0.replacing("/", with: ":", maxReplacements: 1) } ?? text
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        if let plugin = parts.first, plugins.contains(plugin) {
            self = .page(
                parts.count == 2
                    ? "/\(plugin)?id=\(PercentEncoding.encode(parts[1]))" : "/\(plugin)")
        } else if text.hasPrefix("hub:") {
            throw HubError(
                .notFound, code: "no-reference", "\(TerminalSanitizer.line(text)) leads to nothing in hub",
                hint: "use hub:plugin/id; hub search shows ids")
        } else {
            self = .file(directory + "/" + text)
        }
    }
}

extension String {
    /// The rest after `prefix`; nil when it does not begin with that.
    fileprivate func withoutPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
