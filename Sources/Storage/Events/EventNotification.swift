/// The member `notify` of an event of the layer `app`: a desktop notification, which hub shows once the event is
/// published.
package struct EventNotification: Sendable, Equatable {
    /// The title.
    package let title: String
    /// The text below it; empty for none.
    package let body: String

    package init(_ title: String, _ body: String) {
        self.title = title
        self.body = body
    }

    /// Reads the notification of an event's body; nil if it has none.
    package init?(_ fields: JSONValue) {
        guard let notify = fields["notify"], let title = notify["title"]?.string else { return nil }
        self.init(title, notify["body"]?.string ?? "")
    }

    /// Returns the declaration of the member; `condition` completes its summary for a topic whose events do not all
    /// have one.
    package static func field(onlyIf condition: String? = nil) -> TopicDeclaration.Field {
        let summary = "The title and body of a desktop notification"
        return TopicDeclaration.Field(
            "notify", .object, optional: condition != nil, summary + (condition.map { "; \($0)." } ?? "."))
    }
}

extension JSONWriter {
    /// Writes the member `notify` of an event's body.
    package mutating func notification(_ notification: EventNotification) {
        name("notify")
        object { notify in
            notify.name("title")
            notify.value(notification.title)
            notify.name("body")
            notify.value(notification.body)
        }
    }
}
