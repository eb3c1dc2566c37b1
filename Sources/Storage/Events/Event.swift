/// A fact in the past tense, as its emitter states it.
///
/// It is emitted inside the transaction that makes it true, by `Transaction.emit(_:)`, and is kept or lost with it.
package struct Event: Sendable, Equatable {
    /// The topic of the event.
    package let topic: Topic
    /// The version of the topic's body.
    package let version: Int
    /// The id of what it happened to; empty when it happened to nothing that has one.
    package let subject: String
    /// Emitting the same key under the same topic again does nothing: an alert is raised once, however often its
    /// condition is computed. Nil when every emission counts.
    package let uniqueKey: String?
    /// A JSON object (RFC 8259) with the fields that the topic declares.
    package let body: String

    /// The longest body, in bytes. What is larger belongs into a table, and its id into the event.
    package static let maximumBody = 16 * 1024

    /// An event whose body has the members that `fields` writes.
    package init(
        _ topic: Topic, version: Int = 1, subject: String, uniqueKey: String? = nil,
        fields: (inout JSONWriter) -> Void = { _ in }
    ) {
        var writer = JSONWriter()
        writer.object(fields)
        self.init(topic, version: version, subject: subject, uniqueKey: uniqueKey, body: writer.string)
    }

    /// An event with a body that is JSON already.
    package init(_ topic: Topic, version: Int = 1, subject: String, uniqueKey: String? = nil, body: String) {
        self.topic = topic
        self.version = version
        self.subject = subject
        self.uniqueKey = uniqueKey
        self.body = body
    }

    /// The members of the body, for the consumer to take the ones it needs from.
    package func fields() throws(JSONReader.Problem) -> JSONValue {
        try JSONReader.read(Array(body.utf8), limits: JSONReader.Limits(bytes: Event.maximumBody))
    }
}

/// An event as the outbox keeps it: the event, its place in the order, and where it came from.
package struct StoredEvent: Sendable, Equatable {
    /// Its number, given in the commit: it grows and is never used twice, and so it is the event's id for a flow that
    /// must act once.
    package let sequence: Int64
    /// The time of its transaction.
    package let at: Instant
    /// The id of the operation that emitted it; nil when a cache or a service without one did.
    package let operation: String?
    /// The event itself.
    package let event: Event

    package init(sequence: Int64, at: Instant, operation: String?, event: Event) {
        self.sequence = sequence
        self.at = at
        self.operation = operation
        self.event = event
    }

    /// The topic of the event.
    package var topic: Topic { event.topic }
    /// The id of what it happened to.
    package var subject: String { event.subject }
}

extension StoredEvent {
    /// The event as hooks get it on stdin and as `docs/events` shows it: one JSON object.
    package func write(to writer: inout JSONWriter) throws(JSONReader.Problem) {
        let body = try event.fields()
        writer.object { writer in
            writer.name("seq")
            writer.value(Int(sequence))
            writer.name("at")
            writer.value(at.rfc3339)
            writer.name("topic")
            writer.value(topic.text)
            writer.name("version")
            writer.value(event.version)
            writer.name("subject")
            writer.value(subject)
            writer.name("operation")
            if let operation { writer.value(operation) } else { writer.null() }
            writer.name("body")
            writer.value(body)
        }
    }
}
