package import Commands
package import Storage

/// The buttons of the desktop notifications of a topic.
package struct NotificationActions: Sendable {
    /// One button.
    package struct Button: Sendable, Equatable {
        /// The name by which it is known: `allow`.
        package let id: String
        /// What is written on it.
        package let label: String

        /// A button that is known as `id` and has `label` written on it.
        package init(_ id: String, _ label: String) { (self.id, self.label) = (id, label) }
    }

    /// The topic.
    package let topic: Topic
    /// The buttons, from left to right.
    package let buttons: [Button]
    /// Returns the line that a desktop without buttons shows instead: the command that does the same.
    package let instruction: @Sendable (StoredEvent) -> String
    /// Carries out a button of the notification of an event.
    package let perform: @Sendable (any PluginHost, StoredEvent, _ button: String) async throws -> Void

    /// `perform` gets the plugin, which is built when a button is pressed, the event, and the id of the button.
    package init<P: Sendable>(
        of topic: Topic, _ buttons: [Button], instruction: @escaping @Sendable (StoredEvent) -> String,
        perform: @escaping @Sendable (P, StoredEvent, _ button: String) async throws -> Void
    ) {
        self.topic = topic
        self.buttons = buttons
        self.instruction = instruction
        self.perform = { host, event, button in try await perform(host.plugin(P.self), event, button) }
    }
}
