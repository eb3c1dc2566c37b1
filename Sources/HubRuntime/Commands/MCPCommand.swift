import Commands
import HubKit

/// `hub mcp`: tools for assistants, on standard input and output.
enum MCPCommand {
    private static let allow = Option<[String]>(
        "allow", "PLUGIN", help: "allow changes in this plugin (can be repeated)", completion: SyncCommand.pluginNames)

    /// `root` gives the whole tree, in which the commands of the tools are found.
    static func command(root: @escaping @Sendable () -> Command) -> Command {
        Command(
            "mcp", summary: "serve assistants by the Model Context Protocol",
            discussion: [
                "An assistant starts it and speaks with it on standard input and output. It can read everything but accounts, "
                    + "settings and secrets; with --allow it can change items of these plugins. Each change is an operation with "
                    + "the assistant as its author, which hub undo OP takes back. It cannot send, share or delete anything permanently."
            ],
            examples: [
                Example("hub mcp", "assistants can read"),
                Example("hub mcp --allow notes,mintee", "they can also change notes, tasks and habits"),
            ], prominence: .full, parameters: [allow]
        ) { (hub: Hub, input: Input) in
            let words = input[allow].flatMap { $0.split(separator: ",").map(String.init) }
            let allowed = Set(try words.map { try hub.descriptor(named: $0).id })
            let assistant = try Assistant(hub, root: root(), allowed: allowed)
            if input.dryRun { return .text(assistant.tools.map(\.name)) }
            try await serve(MCPServer(assistant, clock: hub.clock), input.console.standardInput())
            return .nothing
        }
    }

    /// Answers each line, until there are no more.
    private static func serve(_ server: MCPServer, _ chunks: Output.ByteStream) async throws {
        var server = server
        var (line, isTooLong): ([UInt8], Bool) = ([], false)
        func send(_ answer: JSONValue?) throws {
            guard let answer else { return }
            try DescriptorSink.standardOutput.write(Array((answer.line + "\n").utf8))
        }
        for try await chunk in chunks {
            for part in Lines(chunk) {
                if !isTooLong { line += part.bytes }
                if line.count > MCPServer.messageLimit { (line, isTooLong) = ([], true) }
                guard part.isEnd else { continue }
                if isTooLong {
                    try send(MCPServer.tooLong)
                } else if line.contains(where: { $0 > 0x20 }) {
                    try send(await server.answer(line))
                }
                (line, isTooLong) = ([], false)
            }
        }
    }

    /// The parts of a chunk between line feeds.
    private struct Lines: Sequence, IteratorProtocol {
        private var rest: ArraySlice<UInt8>

        init(_ chunk: [UInt8]) { rest = chunk[...] }

        mutating func next() -> (bytes: ArraySlice<UInt8>, isEnd: Bool)? {
            guard !rest.isEmpty else { return nil }
            guard let end = rest.firstIndex(of: 0x0A) else {
                defer { rest = [] }
                return (rest, false)
            }
            defer { rest = rest[(end + 1)...] }
            return (rest[..<end], true)
        }
    }
}
