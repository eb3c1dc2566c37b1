import HubKitTesting
import Synchronization
import Testing

@testable import Commands
@testable import HubRuntime
@testable import Storage

struct CommandHookTests {
    private func event(_ body: String = "{}") -> StoredEvent {
        StoredEvent(
            sequence: 7, at: Instant(milliseconds: 0), operation: "1a",
            event: Event("app.test/raised", subject: "2b", body: body))
    }

    private func run(_ command: String, _ event: StoredEvent) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let log = Log(label: "hooks") { _, _, line in lines.withLock { $0.append(line) } }
        try await CommandHook(name: "test", pattern: "app.*", command: command).subscriber(log: log).handle(event)
        return lines.withLock { $0 }
    }

    @Test func `a hook gets the event as one line of JSON`() async throws {
        let line =
            #"{"seq":7,"at":"1970-01-01T00:00:00Z","topic":"app.test/raised","version":1,"subject":"2b","#
            + #""operation":"1a","body":{"price":1.50}}"#
        #expect(try await run("cat", event(#"{"price":1.50}"#)) == ["hook test, event 7: \(line)"])
    }

    @Test func `a hook that fails is a failed delivery, with what it said`() async throws {
        await #expect(throws: CommandHook.Failure(status: .exited(3), said: "no phone")) {
            try await run("echo no phone >&2; exit 3", event())
        }
    }

    @Test func `a hook that reads nothing is no failure`() async throws {
        let body = #"{"x":""# + String(repeating: "x", count: 15_000) + #""}"#
        #expect(try await run("true", event(body)) == [])
    }

    @Test func `a hook that writes without end is stopped`() async throws {
        await #expect(throws: SubprocessError.tooMuchOutput(limit: CommandHook.outputLimit)) {
            try await run("yes", event())
        }
    }

    @Test func `hooks come from the config, and one that is not right stops no other`() throws {
        var config = Config()
        config[HubKeys.hookTopic, "phone"] = "app.market/*"
        config[HubKeys.hookCommand, "phone"] = "notify-phone"
        config[HubKeys.hookTopic, "half"] = "app.market/*"
        config[HubKeys.hookCommand, "other"] = "true"
        config[HubKeys.hookTopic, "market"] = "App market"
        config[HubKeys.hookCommand, "market"] = "true"
        config[HubKeys.hookTopic, "empty"] = "app.market/*"
        config[HubKeys.hookCommand, "empty"] = " "
        let (hooks, flaws) = CommandHook.all(in: config)
        #expect(hooks == [CommandHook(name: "phone", pattern: "app.market/*", command: "notify-phone")])
        #expect(
            Set(flaws.map(\.message)) == [
                "the hook half needs \"run\"", "the hook other needs \"on\"",
                "the hook market has an invalid topic \"App market\"", "the hook empty has an empty command",
            ])
    }

    @Test(arguments: [
        (#"{"notify":{"title":"Ada turns 40","body":"tomorrow"}}"#, "Ada turns 40", "tomorrow"),
        (#"{"notify":{"title":"Ada turns 40"}}"#, "Ada turns 40", ""),
    ])
    func `an event with a notice is shown, while it is new`(body: String, title: String, text: String) async throws {
        let shown = Mutex<[EventNotification]>([])
        for now: Int64 in [3_600_000, 3_600_001] {
            let clock = FixedClock(now: Instant(milliseconds: now))
            let subscriber = DesktopNotices.subscriber(clock: clock) { _, notice in shown.withLock { $0.append(notice) }
            }
            try await subscriber.handle(event(body))
            try await subscriber.handle(event(#"{"notify":"x"}"#))
            try await subscriber.handle(event())
        }
        #expect(shown.withLock { $0.map(\.title) } == [title])
        #expect(shown.withLock { $0.map(\.body) } == [text])
    }
}
