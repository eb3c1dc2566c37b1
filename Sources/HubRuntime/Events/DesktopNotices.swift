import HubKit

/// Desktop notifications: events of the `app` layer whose body has the member `notify`.
enum DesktopNotices {
    /// The maximum age of an event for a notification; after a week without a daemon, a week's notifications at once
    /// are useless.
    static let interest = Duration.seconds(3600)

    /// The notices as a subscriber; `show` sends one to the desktop.
    static func subscriber(
        clock: any Clock, show: @escaping @Sendable (EventNotification) async throws -> Void
    ) -> Subscriber {
        Subscriber(id: "core.notify", summary: "shows notifications on the desktop", patterns: ["app.*"]) { event in
            guard clock.now - event.at <= interest, let fields = try? event.event.fields(),
                let notice = EventNotification(fields)
            else { return }
            try await show(notice)
        }
    }
}
