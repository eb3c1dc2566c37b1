import Commands
import HubKit
import Storage
import Threading

/// The subscribers of durable events: the desktop, the user's hooks, and the plugins' flows.
struct Subscribers: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// All of them that the config leaves on.
    func all() throws -> [Subscriber] {
        let config = try hub.configuration().core
        let flows = try hub.enabledDescriptors().flatMap(\.flows)
            .filter { config[HubKeys.flow, $0.id] ?? $0.isOnByDefault }.map { try $0.subscriber(hub) }
        let hooks = CommandHook.all(in: config).hooks.map { $0.subscriber(log: hub.log.labelled("hooks")) }
        return [try desktop, try push] + hooks + flows
    }

    /// The hooks of the config that cannot run.
    func brokenHooks() throws -> [CommandHook.Flaw] { CommandHook.all(in: try hub.configuration().core).flaws }

    /// The messages to browsers.
    private var push: Subscriber {
        get throws {
            let plugins = try hub.enabledDescriptors()
            return PushMessages.subscriber(clock: hub.clock) { event in
                plugins.first { $0.id == event.topic.context }?.path(of: event) ?? "/"
            } send: { [hub] message in
                // Without a browser that wants messages, no key is made.
                guard try await !hub.eventStore().read({ try $0.pushSubscriptions() }).isEmpty else { return }
                try await BackgroundThread.run { [hub] in try PushMessages(hub) }.send(message)
            }
        }
    }

    private var desktop: Subscriber {
        get throws {
            let notifier = DesktopNotifier(log: hub.log.labelled("desktop"))
            let actions = try hub.enabledDescriptors().flatMap(\.notificationActions)
            return DesktopNotices.subscriber(clock: hub.clock) { [hub] event, notice in
                var notification = DesktopNotification(summary: notice.title, body: notice.body)
                if let action = actions.first(where: { $0.topic == event.topic }) {
                    notification.instruction = action.instruction(event)
                    // A command has ended when a button is pressed.
                    if hub.mode == .daemon {
                        notification.buttons = action.buttons
                        notification.perform = { try await action.perform(hub, event, $0) }
                    }
                }
                await notifier.show(notification)
            }
        }
    }
}

/// Desktop notifications: events of the `app` layer whose body has the member `notify`.
enum DesktopNotices {
    /// The maximum age of an event for a notification; after a week without a daemon, a week's notifications at once
    /// are useless.
    static let interest = Duration.seconds(3600)

    /// The notices as a subscriber; `show` sends one to the desktop.
    static func subscriber(
        clock: any Clock, show: @escaping @Sendable (StoredEvent, EventNotification) async throws -> Void
    ) -> Subscriber {
        Subscriber(id: "core.notify", summary: "shows notifications on the desktop", patterns: ["app.*"]) { event in
            guard clock.now - event.at <= interest, let fields = try? event.event.fields(),
                let notice = EventNotification(fields)
            else { return }
            try await show(event, notice)
        }
    }
}
