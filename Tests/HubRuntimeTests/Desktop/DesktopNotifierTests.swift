import DBus
import DBusTestSupport
import HubKit
import HubRuntime
import NetworkTestSupport
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct DesktopNotifierTests {
    private let bus: TestBus
    private let lines = Lines()

    init() throws { bus = try TestBus() }

    private var notifier: DesktopNotifier {
        DesktopNotifier(log: lines.log, timeout: .seconds(3600)) { [address = bus.address] () throws(DBusError) in
            address
        }
    }

    private func desktop(_ parameters: String = "{}") async throws -> TestProcess {
        try await bus.python(
            ["-m", "dbusmock", "--template", "notification_daemon", "--parameters", parameters],
            offering: "org.freedesktop.Notifications")
    }

    @Test func `a notification reaches the desktop, with its markup escaped`() async throws {
        let desktop = try await desktop()
        let urgent = DesktopNotification(summary: "Bob & Eve\n", body: "<b>1 < 2</b>", urgency: .critical)
        #expect(await notifier.show(urgent))
        let line = try await nextNotify(desktop)
        #expect(line.contains(#""Bob & Eve ""#))
        #expect(line.contains("&lt;b&gt;1 &lt; 2&lt;/b&gt;"))
        #expect(line.contains(#"{"urgency": 2, "#) || line.contains(#", "urgency": 2}"#), "\(line)")
        #expect(lines.all.isEmpty)
    }

    @Test func `a desktop that reads no markup gets the text as it is`() async throws {
        let desktop = try await desktop(#"{"capabilities": "body"}"#)
        #expect(await notifier.show(DesktopNotification(summary: "s", body: "1 < 2")))
        #expect(try await nextNotify(desktop).contains("1 < 2"))
    }

    /// A notification with two buttons; `pressed` gets the one that is pressed.
    private func question(_ pressed: AsyncStream<String>.Continuation) -> DesktopNotification {
        var question = DesktopNotification(summary: "Access to Plan", body: "requested by bob")
        question.buttons = [.init("allow", "Allow"), .init("deny", "Deny")]
        question.perform = { pressed.yield($0) }
        question.instruction = "Answer with hub notes requests allow bob"
        return question
    }

    @Test func `the button that is pressed is carried out once`() async throws {
        let desktop = try await desktop(#"{"capabilities": "body actions"}"#)
        let (presses, pressed) = AsyncStream<String>.makeStream()
        let notifier = notifier
        #expect(await notifier.show(question(pressed)))
        let line = try await nextNotify(desktop)
        #expect(line.contains(#"["allow", "Allow", "deny", "Deny"]"#), "\(line)")
        #expect(!line.contains("Answer with"))
        let connection = try await bus.connect()
        func press(_ number: UInt32, _ button: String) async throws {
            _ = try await connection.call(
                "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.DBus.Mock", member: "EmitSignal",
                [
                    .string("org.freedesktop.Notifications"), .string("ActionInvoked"), .string("us"),
                    .array(of: .variant, [.variant(.uint32(number)), .variant(.string(button))]),
                ])
        }
        for (number, button) in [(9, "allow"), (1, "deny"), (1, "allow")] as [(UInt32, String)] {
            try await press(number, button)
        }
        #expect(await notifier.show(question(pressed)))
        try await press(2, "allow")
        var all: [String] = []
        for await button in presses {
            all.append(button)
            if all.count == 2 { break }
        }
        #expect(all == ["deny", "allow"])
        await connection.close()
    }

    @Test func `a desktop without buttons says which command to type`() async throws {
        let desktop = try await desktop(#"{"capabilities": "body"}"#)
        let (_, pressed) = AsyncStream<String>.makeStream()
        var question = question(pressed)
        question.body = ""
        #expect(await notifier.show(question))
        let line = try await nextNotify(desktop)
        #expect(line.contains("Answer with hub notes requests allow bob") && !line.contains("Deny"), "\(line)")
    }

    @Test func `a missing desktop is told once, and again after it was there`() async throws {
        let notifier = notifier
        #expect(await !notifier.show(DesktopNotification(summary: "one")))
        #expect(await !notifier.show(DesktopNotification(summary: "two")))
        #expect(lines.all.count == 1)
        let desktop = try await desktop()
        #expect(await notifier.show(DesktopNotification(summary: "three")))
        bus.kill()
        #expect(await !notifier.show(DesktopNotification(summary: "four")))
        #expect(lines.all.count == 2)
        withExtendedLifetime(desktop) {}
    }

    /// The mock's log line of the next call of Notify.
    private func nextNotify(_ desktop: TestProcess) async throws -> String {
        while true {
            let line = try await desktop.answer()
            if line.contains(" Notify ") { return line }
        }
    }
}

/// The logged lines.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var log: Log { Log(label: "test") { [self] _, _, message in lines.withLock { $0.append(message) } } }
}
