import Commands
import DBus
import HubKit
import Synchronization
import WebServer

/// hub on the session bus: what the desktop opens with hub, and what its overview finds in it.
///
/// The interfaces are `org.freedesktop.Application` (Desktop Entry Specification 1.5) and `org.gnome.Shell.SearchProvider2`.
struct DesktopService: Service {
    private let hub: Hub
    private let address: @Sendable () throws(DBusError) -> DBusAddress

    /// The pause before the bus is looked for again: a login may come later than the service.
    private static let pause = Duration.seconds(60)

    /// Serves on the bus at `address`, that of the session by default.
    init(
        _ hub: Hub,
        address: @escaping @Sendable () throws(DBusError) -> DBusAddress = { () throws(DBusError) in
            try DBusAddress.session()
        }
    ) {
        self.hub = hub
        self.address = address
    }

    func run() async throws {
        let log = hub.log.labelled("desktop")
        var isTold = false
        while true {
            do throws(DBusError) {
                try await serve()
            } catch .cancelled {
                throw CancellationError()
            } catch {
                // A machine without a desktop is nothing unusual.
                if !isTold { log.info("not on the session bus: \(error)") }
                isTold = true
            }
            try await hub.clock.sleep(for: Self.pause)
        }
    }

    private func serve() async throws(DBusError) {
        let connection = try await DBusConnection.open(try address())
        let notifier = DesktopNotifier(log: hub.log.labelled("desktop"), address: address)
        let application = DesktopApplication(hub, connection, notifier: notifier)
        let search = DesktopSearch(hub, application)
        // The objects are there before the name is: who waits for the name calls them at once.
        connection.export(DesktopIdentity.path) { call throws(DBusError) in try await application.answer(call) }
        connection.export(DesktopIdentity.searchPath) { call throws(DBusError) in try await search.answer(call) }
        let ends = try await connection.signals(
            matching: DBusMatchRule(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameLost",
                firstArgument: DesktopIdentity.id))
        guard try await connection.requestName(DesktopIdentity.id) else {
            await connection.close()
            throw .noBus("another process has the name \(DesktopIdentity.id)")
        }
        do {
            for try await _ in ends { break }
        } catch {}
        let isCancelled = Task.isCancelled
        await connection.close()
        if isCancelled { throw .cancelled }
    }
}

/// The errors that objects answer with.
enum DesktopError {
    /// A method that the object does not have.
    static func unknown(_ call: DBusMethodCall) -> DBusError {
        .remote(
            name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no method \(call.interface).\(call.member)")
    }

    static func arguments(_ call: DBusMethodCall) -> DBusError {
        .remote(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "wrong arguments of \(call.member)")
    }

    static func failed(_ error: any Error) -> DBusError {
        .remote(
            name: "org.freedesktop.DBus.Error.Failed", message: (error as? HubError).map(\.message) ?? "\(error)")
    }
}

/// `org.freedesktop.Application`: opens the page and files.
struct DesktopApplication: Sendable {
    static let interface = "org.freedesktop.Application"
    /// The interface for callers that ask for it.
    static let description = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node><interface name="org.freedesktop.Application">
        <method name="Activate"><arg type="a{sv}" name="platform_data" direction="in"/></method>
        <method name="Open"><arg type="as" name="uris" direction="in"/>\
        <arg type="a{sv}" name="platform_data" direction="in"/></method>
        <method name="ActivateAction"><arg type="s" name="action_name" direction="in"/>\
        <arg type="av" name="parameter" direction="in"/><arg type="a{sv}" name="platform_data" direction="in"/></method>
        </interface></node>
        """
    /// The most files that are opened by one call.
    private static let limit = 50

    private let hub: Hub
    private let opener: PageOpener
    private let connection: DBusConnection
    private let notifier: DesktopNotifier

    init(_ hub: Hub, _ connection: DBusConnection, notifier: DesktopNotifier) {
        self.hub = hub
        self.connection = connection
        self.notifier = notifier
        opener = PageOpener(hub)
    }

    func answer(_ call: DBusMethodCall) async throws(DBusError) -> [DBusValue] {
        switch (call.interface, call.member) {
        case ("org.freedesktop.DBus.Introspectable", "Introspect"): return [.string(Self.description)]
        case (Self.interface, "Activate"), ("", "Activate"):
            try await open(page: "/", token(call.arguments.first))
        case (Self.interface, "Open"), ("", "Open"):
            guard let addresses = call.arguments.first?.elements else { throw DesktopError.arguments(call) }
            for address in addresses.prefix(Self.limit) {
                try await open(address.text ?? "", token(call.arguments.dropFirst().first))
            }
        // The .desktop file declares no actions.
        case (Self.interface, "ActivateAction"): throw DesktopError.arguments(call)
        default: throw DesktopError.unknown(call)
        }
        return []
    }

    /// Opens the page at a path.
    func open(page path: String, _ token: String?) async throws(DBusError) {
        do {
            try await opener.open(try await opener.link(to: path, patience: .seconds(10)), on: connection, token: token)
        } catch { throw DesktopError.failed(error) }
    }

    private func open(_ address: String, _ token: String?) async throws(DBusError) {
        do {
            switch try OpenTarget(address, in: "/", plugins: hub.enabledDescriptors().map(\.id)) {
            case .page(let path):
                try await opener.open(
                    try await opener.link(to: path, patience: .seconds(10)), on: connection, token: token)
            case .file(let path): try await offer(try FileImport(path, hub))
            }
        } catch {
            let reason = (error as? HubError)?.message ?? "\(error)"
            await notifier.show(DesktopNotification(summary: "hub cannot open it", body: reason))
            throw DesktopError.failed(error)
        }
    }

    /// Shows what an import would do, with a button that does it. A file is never imported without being asked for.
    private func offer(_ file: FileImport) async throws {
        let plan = try await file.run(isPlan: true)
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        var offer = DesktopNotification(
            summary: "Import \(name)?", body: (plan.human ?? []).suffix(6).joined(separator: "\n"))
        offer.buttons = [.init("import", "Import"), .init("cancel", "Cancel")]
        offer.instruction = "To import it: \(file.commandLine)"
        offer.perform = { [notifier] button in
            guard button == "import" else { return }
            let done = try await file.run(isPlan: false)
            await notifier.show(
                DesktopNotification(
                    summary: "Imported \(name)", body: (done.human ?? []).suffix(3).joined(separator: "\n")))
        }
        await notifier.show(offer)
    }

    private func token(_ data: DBusValue?) -> String? { data?["activation-token"]?.text }
}

/// `org.gnome.Shell.SearchProvider2`: `hub search` in the overview.
///
/// The overview is seen by others who look at the screen, so a result shows its title and its plugin, and nothing of its text.
struct DesktopSearch: Sendable {
    static let interface = "org.gnome.Shell.SearchProvider2"
    static let description = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node><interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet"><arg type="as" name="terms" direction="in"/>\
        <arg type="as" name="results" direction="out"/></method>
        <method name="GetSubsearchResultSet"><arg type="as" name="previous_results" direction="in"/>\
        <arg type="as" name="terms" direction="in"/><arg type="as" name="results" direction="out"/></method>
        <method name="GetResultMetas"><arg type="as" name="identifiers" direction="in"/>\
        <arg type="aa{sv}" name="metas" direction="out"/></method>
        <method name="ActivateResult"><arg type="s" name="identifier" direction="in"/>\
        <arg type="as" name="terms" direction="in"/><arg type="u" name="timestamp" direction="in"/></method>
        <method name="LaunchSearch"><arg type="as" name="terms" direction="in"/>\
        <arg type="u" name="timestamp" direction="in"/></method>
        </interface></node>
        """
    /// The most results, and the most results of one plugin that are looked for.
    private static let limit = 20
    /// The most bytes of the words that are looked for.
    private static let termLimit = 400

    private let hub: Hub
    private let application: DesktopApplication
    private let titles = TitleCache()

    init(_ hub: Hub, _ application: DesktopApplication) {
        self.hub = hub
        self.application = application
    }

    func answer(_ call: DBusMethodCall) async throws(DBusError) -> [DBusValue] {
        switch (call.interface, call.member) {
        case ("org.freedesktop.DBus.Introspectable", "Introspect"): return [.string(Self.description)]
        case (Self.interface, "GetInitialResultSet"):
            return [.strings(try await results(try texts(call, 0)))]
        case (Self.interface, "GetSubsearchResultSet"):
            return [.strings(try await results(try texts(call, 1)))]
        case (Self.interface, "GetResultMetas"):
            return [
                .array(of: .dictionary(key: .string, value: .variant), try await metas(try texts(call, 0)))
            ]
        case (Self.interface, "ActivateResult"):
            guard let id = call.arguments.first?.text else { throw DesktopError.arguments(call) }
            try await application.open(page: path(of: id), nil)
            return []
        case (Self.interface, "LaunchSearch"):
            try await application.open(page: "/", nil)
            return []
        default: throw DesktopError.unknown(call)
        }
    }

    /// Returns the ids of the best results as `plugin:id`, best first.
    private func results(_ terms: [String]) async throws(DBusError) -> [String] {
        let words = terms.flatMap { $0.split(separator: " ").map(String.init) }
        guard !words.isEmpty, words.map(\.utf8.count).reduce(0, +) <= Self.termLimit else { return [] }
        do {
            var hits: [(id: String, hit: SearchHit)] = []
            for descriptor in try hub.enabledDescriptors() {
                guard let provider = descriptor.providers.search else { continue }
                hits += try await provider.search(hub, words, Self.limit).map { ("\(descriptor.id):\($0.id)", $0) }
            }
            let best = hits.enumerated().sorted { left, right in
                (right.element.hit.match, left.offset) < (left.element.hit.match, right.offset)
            }.prefix(Self.limit).map(\.element)
            titles.keep(best.map { ($0.id, $0.hit.title) })
            return best.map(\.id)
        } catch { throw DesktopError.failed(error) }
    }

    /// Returns one meta for each id, in their order: the overview shows nothing when one is missing.
    private func metas(_ ids: [String]) async throws(DBusError) -> [DBusValue] {
        var metas: [DBusValue] = []
        for id in ids {
            let plugin = hub.descriptors.first { id.hasPrefix($0.id + ":") }
            let name = titles[id] ?? id
            metas.append(
                .properties([
                    "id": .string(id), "name": .string(TerminalSanitizer.line(name)),
                    "description": .string(plugin?.title ?? ""), "gicon": .string(DesktopIdentity.id),
                ]))
        }
        return metas
    }

    private func path(of id: String) -> String {
        let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, hub.descriptors.contains(where: { $0.id == parts[0] }) else { return "/" }
        return "/\(parts[0])?id=\(PercentEncoding.encode(parts[1]))"
    }

    private func texts(_ call: DBusMethodCall, _ place: Int) throws(DBusError) -> [String] {
        guard call.arguments.count > place, let elements = call.arguments[place].elements else {
            throw DesktopError.arguments(call)
        }
        return elements.compactMap(\.text)
    }
}

/// The titles of the last results, so that what is shown of them needs no search.
private final class TitleCache: Sendable {
    private static let limit = 500
    private let titles = Mutex<[String: String]>([:])

    subscript(id: String) -> String? { titles.withLock { $0[id] } }

    func keep(_ new: [(id: String, title: String)]) {
        titles.withLock { titles in
            if titles.count > Self.limit { titles = [:] }
            for (id, title) in new { titles[id] = title }
        }
    }
}
