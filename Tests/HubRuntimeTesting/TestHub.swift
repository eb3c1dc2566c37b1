package import Commands
package import HubKit
package import HubKitTesting
import Storage
package import TestSupport
import Threading
package import WebServer

@testable package import HubRuntime

/// The whole hub with some plugins, over a store in a folder that is gone with the value.
///
/// Each line is run as a process would run it: by a hub of its own that is closed afterwards. Events stay where they
/// are, for their delivery has tests of its own.
package final class TestHub: Sendable {
    /// The home folder.
    package let folder: TemporaryFolder
    /// The path of the home folder.
    package var home: String { folder.path }
    /// The clock of all processes.
    package let clock = FixedClock(sleep: .lasts)
    /// The environment of all processes.
    package let environment: ProcessEnvironment
    /// The tree of all commands.
    package let root: Command
    private let plugins: [any Plugin.Type]

    package init(_ plugins: any Plugin.Type...) throws {
        folder = try TemporaryFolder()
        self.plugins = plugins
        root = TestHub.root(plugins)
        let home = folder.path
        environment = ProcessEnvironment(
            arguments: [],
            variables: [
                "HOME": home, "HUB_NO_PAGER": "1", "XDG_RUNTIME_DIR": home + "/run", "LC_ALL": "C.UTF-8", "TZ": "UTC",
                "PATH": "/usr/bin:/bin",
            ], home: home)
    }

    /// Returns the tree of all commands with some plugins.
    package static func root(_ plugins: [any Plugin.Type]) -> Command { RootCommand.make(plugins, width: 80) { [] } }

    /// A hub over the store, as a new process makes it.
    package func hub() -> Hub {
        Hub(plugins: plugins, environment: environment, clock: clock, log: Log(label: "test") { _, _, _ in })
    }

    /// What a command line has written, and its exit code.
    package struct Run: Sendable {
        package var output: String
        package var messages: String
        package var exit: Int32
        /// Both streams.
        package var all: String { output + messages }

        package init(output: String, messages: String, exit: Int32) {
            self.output = output
            self.messages = messages
            self.exit = exit
        }
    }

    /// Runs `hub` with the words of `line`, on a terminal of `width` columns.
    @discardableResult
    package func run(
        _ line: String, width: Int = 100, console: ScriptedConsole = ScriptedConsole()
    ) async -> Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let hub = hub()
        let runner = CommandRunner(
            root: root,
            environment: CommandRunner.Environment(
                variables: environment.variables,
                profile: TerminalProfile(
                    outputIsTerminal: true, errorIsTerminal: true, width: width, environmentColor: false),
                output: output, messages: messages, clock: clock, zone: .utc, console: console),
            changes: { _ in await OperationItems(hub).changesMade() }, makeHost: { _ in hub })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        await hub.openedDatabase?.close()
        return Run(output: output.text, messages: messages.text, exit: exit)
    }

    /// Returns the output of `lines`, typed a minute apart. Ids, which are random, become `xxx`.
    package func transcript(_ lines: String...) async -> String {
        var shown = ""
        for line in lines {
            shown += await transcript(line, console: ScriptedConsole())
            clock.advance(by: .seconds(60))
        }
        return shown
    }

    /// Returns the output of `line` with scripted answers.
    package func transcript(_ line: String, console: ScriptedConsole) async -> String {
        let run = await run(line, console: console)
        let asked = console.transcript.map { $0 + "\n" }.joined()
        return alike("$ hub \(line)\n\(asked)\(run.output)\(run.messages)= \(run.exit)\n")
    }

    /// The text with every id as `xxx` and the folder of the test as `~`.
    private func alike(_ text: String) -> String {
        text.replacing(folder.path, with: "~").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.replacing(/\b[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]+\b(  +)?/) { "xxx" + ($0.1 == nil ? "" : "  ") }
                .replacing(/^ID  +/) { _ in "ID   " }.replacing(/^REF  +/) { _ in "REF           " }
        }.joined(separator: "\n")
    }
}

extension TestHub {
    /// Answers a request to the routes of the plugins, and to the one that undoes, as a process of its own.
    package func request(
        _ method: HTTPMethod, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        let hub = hub()
        do {
            let response = try await answer(method, path, body, headers, hub)
            await hub.openedDatabase?.close()
            return response
        } catch {
            await hub.openedDatabase?.close()
            throw error
        }
    }

    /// The path has no route.
    package struct NoRoute: Error {}

    private func answer(
        _ method: HTTPMethod, _ path: String, _ body: String, _ headers: HTTPHeaders, _ hub: Hub
    ) async throws -> HTTPResponse {
        guard let target = RequestTarget(path) else { throw NoRoute() }
        var request = HTTPRequest(method: method, target: target, headers: headers)
        request.body = Array(body.utf8)
        var router = Router<WebRoute>()
        let routes = hub.descriptors.flatMap { descriptor in
            descriptor.routes.map { WebRoute($0, of: descriptor.id, host: hub, log: hub.log) }
        }
        for route in routes + [.undo(hub)] { try router.add(route.method, route.pattern, route) }
        guard case .found(let route, let captures) = router.match(method, target) else { throw NoRoute() }
        return try await route.handler(request, captures)
    }
}

extension TestHub {
    /// Serves the pages of hub on the loopback interface while `body` runs; `link` logs a browser in and leads to `path`.
    package func servingPages(loginTo path: String, _ body: (_ link: String) async throws -> Void) async throws {
        let hub = hub()
        let (addresses, ready) = AsyncStream.makeStream(of: SocketAddress.self)
        let service = try await BackgroundThread.run {
            try PageService(hub, at: .loopback(port: 0)) { ready.yield($0) }
        }
        let running = Task { try await service.run() }
        do {
            let address = await addresses.first { _ in true } ?? .loopback(port: 0)
            let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), bus: hub.bus, clock: clock)
            try await body(
                WebLogin.link(to: address, code: try await access.makeCode(), page: path, isEncrypted: false))
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        try await running.value
        await hub.openedDatabase?.close()
    }
}

extension HTTPResponse {
    /// The body's text, when it is there as a whole.
    package var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
