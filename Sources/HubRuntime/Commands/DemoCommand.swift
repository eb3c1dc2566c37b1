import Commands
import Glibc
import HubKit
import Synchronization
import WebServer

/// `hub demo`: a store with an invented year, served until a signal ends it.
///
/// The process replaces itself with one whose environment knows nothing of the user's files. So nothing that a plugin or a library
/// looks up can be the user's own, and no list of exceptions has to be kept.
enum DemoCommand {
    private static let seed = Option<Int>("seed", "N", help: "another year: any number")
    private static let keep = Option<String>(
        "keep", "DIR", help: "write the store into this new folder, and do not serve it", completion: .directories)

    static let command = Command(
        "demo", summary: "serve a throwaway store with an invented person's year",
        discussion: [
            "It has contacts, notes, voice records, trades and habits of a year that ends today, with their history. Everything in it is "
                + "invented. Your own data, settings and keyring are not touched, and nothing is sent. The store is removed when you "
                + "press Ctrl-C."
        ],
        examples: [
            Example("hub demo", "print a link to the page, and serve it until Ctrl-C"),
            Example("hub demo --keep demo", "keep the store, for trying commands"),
        ], prominence: .full, parameters: [seed, keep]
    ) { (hub: Hub, input: Input) in
        if input.dryRun { return .done("Would make a demo store and serve it on a free port of 127.0.0.1") }
        guard let folder = try DemoFolder(hub.environment) else { try replaceProcess(hub, input) }
        defer { folder.remove() }
        let year = UInt64(bitPattern: Int64(input[seed] ?? Int(DemoStore.seed)))
        let stopped = Atomic(false)
        let signals = await ProcessSignals.stream(ProcessSignals.stopping)
        let reader = Task { for await _ in signals { stopped.store(true, ordering: .relaxed) } }
        defer { reader.cancel() }
        await input.console.show(["Making a year of an invented person …"])
        _ = try await DemoStore(hub.plugins, environment: hub.environment).fill(
            seed: year, now: hub.clock.now, zone: .system, isCancelled: { stopped.load(ordering: .relaxed) })
        if let kept = input[keep] {
            return .done("The demo store is in \(kept)").noting(
                Diagnostic(usage(of: kept + "/hub", kept + "/config.toml")))
        }
        try await serve(hub.asDaemon(), input)
        return .nothing
    }

    /// Serves the store without the services that look for things outside of it.
    private static func serve(_ hub: Hub, _ input: Input) async throws {
        let idle = try hub.enabledDescriptors().flatMap { descriptor in
            (descriptor.demo?.idleServices ?? []).map { "\(descriptor.id)/\($0)" }
        }
        let names = try Daemon(hub).serviceNames().filter { !idle.contains($0) }
        let shown = Atomic(false)
        try await Daemon(hub, only: names).run { hub, address in
            guard !shown.exchange(true, ordering: .relaxed) else { return }
            Task {
                let store = DatabaseCredentialStore(try hub.database())
                let code = try await WebAccess(store: store, bus: hub.bus, clock: hub.clock).makeCode()
                await input.console.show([
                    "The demo is at http://\(address). Open this one-time link within ten minutes:",
                    "  " + WebLogin.link(to: address, code: code, isEncrypted: false),
                    usage(of: hub.directories.data, hub.configManager.file.path),
                    "Press Ctrl-C to stop and remove it.",
                ])
            }
        }
    }

    /// How commands reach the store.
    private static func usage(of data: String, _ config: String) -> String {
        "Commands on it: hub --data \(ShellWords.quote(data)) --config \(ShellWords.quote(config)) today"
    }

    /// Makes the folder, and puts this program with its environment in the place of this process.
    private static func replaceProcess(_ hub: Hub, _ input: Input) throws -> Never {
        guard let program = hub.environment.program else {
            throw HubError(.internal, code: "no-program", "this process is not the program hub")
        }
        let folder = try DemoFolder(new: hub.environment)
        do {
            var variables = folder.variables(hub.environment)
            // Settings of the system are for its users.
            variables["XDG_CONFIG_DIRS"] = folder.path
            var words = ["hub", "demo"]
            var home = "\(folder.path)/home/.config/hub"
            if let seed = input[seed] { words += ["--seed=\(seed)"] }
            if let keep = input[keep] {
                home = Directories.absolute(keep, home: hub.environment.home)
                guard mkdir(home, 0o700) == 0 else {
                    throw HubError(
                        .usage, code: "folder-exists", "cannot make the folder \(keep)",
                        details: [String(cString: strerror(errno))], hint: "give the name of a new folder")
                }
                words += ["--keep", home]
                variables["XDG_DATA_HOME"] = home
                variables["HUB_CONFIG"] = home + "/config.toml"
            }
            try Directory.make(home)
            let config = DemoStore.config(of: hub.plugins, address: "127.0.0.1:\(try freePort())")
            let file = try AtomicFile(path: home + "/config.toml", newFileMode: 0o600)
            try file.write(Array(config.utf8))
            try file.commit()
            let arguments = words.map { ByteString.withPath($0) { strdup($0) } } + [nil]
            let environment =
                variables.map { ByteString.withPath("\($0.key)=\($0.value)") { strdup($0) } } + [nil]
            execve(program, arguments, environment)
            throw SystemError("execve \(program)")
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Returns a port of the loopback interface on which nothing listens.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard result else { throw SystemError("bind 127.0.0.1") }
        return UInt16(bigEndian: address.sin_port)
    }
}
