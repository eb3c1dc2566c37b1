import Contacts
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing

@testable import HubRuntime
@testable import Storage

/// The output of `hub events` and `hub flows`.
struct EventsCommandsTests {
    @Test func `scripts tell events of their own, once for each key, and only what is theirs`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let typed = await hub.transcript(
            "events", #"events publish app.user/pomodoro-done '{"minutes": 25}' --dry-run"#,
            #"events publish app.user/pomodoro-done '{"minutes": 25}'"#,
            "events publish app.user/backup-done --key 2026-11-20 --subject stick",
            "events publish app.user/backup-done --key 2026-11-20", "events publish ui.user/look-again",
            "events publish domain.contacts/contact-added", "events publish app.other/thing-done",
            "events publish app.user/x '[1]'", "events publish app.user/x '{'", "events publish nonsense")
        let piped = await hub.transcript(
            "events publish app.user/note-made -",
            console: ScriptedConsole(input: Array(#"{"title": "Łódź"}"#.utf8)))
        Golden.expect(
            typed + piped
                + (await hub.transcript(
                    "events list --plain=seq,topic,subject,body", "events list --limit 1 --json=topic,body")),
            is: "events-publish.txt")
    }

    @Test func `events are listed by topic and age, and pruned`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Anna Lukasz")
        hub.clock.advance(by: .seconds(3 * 86_400))
        _ = await hub.run("events publish app.user/tea-ready")
        Golden.expect(
            await hub.transcript(
                "events list --plain=at,topic", "events list --topic 'app.*' --plain=topic",
                "events list --since 1d --plain=topic", "events list --topic 'gate.*'", "events prune --dry-run",
                "events prune --before 1d", "events list --plain=topic"),
            is: "events-list.txt")
    }

    @Test func `what a hook failed at for good can be tried again or forgotten`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("events publish app.user/tea-ready --subject green")
        _ = await hub.run("events publish app.user/tea-ready --subject black")
        try await moveToDeadLetters(in: hub.hub())
        let ids = try await hub.hub().eventStore().read { try $0.deadEvents() }.map(\.id)
        let forgotten = await hub.transcript(
            "events dead drop --all", console: ScriptedConsole(answers: ["y"]))
        #expect(ids.count == 2)
        let kept = await hub.transcript("events dead", "events dead drop --all --dry-run")
        #expect(forgotten.contains("Delete 2 dead letters? [y/N] y\n2 dead letters deleted"))
        #expect(kept.contains("No dead letters"))
    }

    @Test func `dead events are named by the beginning of their ids`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("events publish app.user/tea-ready --subject green")
        try await moveToDeadLetters(in: hub.hub())
        let id = try #require(try await hub.hub().eventStore().read { try $0.deadEvents() }.first).id
        Golden.expect(
            await hub.transcript(
                "events dead --plain=subscriber,topic,subject,error", "events dead retry", "events dead retry zzz",
                "events dead retry \(id.prefix(6)) --dry-run", "events dead retry \(id.prefix(6))",
                "events dead list --plain=subject,retrying", "events dead drop \(id)", "events dead drop \(id) --yes",
                "events dead"),
            is: "events-dead.txt")
    }

    @Test func `hooks are listed with how they are doing, flows are switched on and off`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("config init")
        try hub.folder.write(
            #"hooks.phone = { on = "app.user/*", run = "notify-phone" }"#, to: ".config/hub/config.toml")
        _ = await hub.run("events publish app.user/tea-ready")
        Golden.expect(
            await hub.transcript(
                "flows", "flows list --json=id,state,topics,waiting,dead", "flows enable birthday-to-task",
                "flows disable birthday-to-task --dry-run"),
            is: "flows.txt")
    }

    /// Sets every event aside, as if a hook had failed at it eight times.
    private func moveToDeadLetters(in hub: Hub) async throws {
        try await hub.eventStore().write(Operation("test", kind: .cache)) { [clock = hub.clock] transaction in
            for event in try transaction.recentEvents(matching: [.everything], since: nil, limit: 10) {
                try transaction.moveToDeadLetters(event, error: "exit code 7", by: "hook.phone", at: clock.now)
            }
        }
    }
}
