/// The declaration of one topic that a plugin emits.
///
/// `docs/events/<topic>.json` contains the same text; a test compares both, and each consumer's decoding is tested
/// against the example there.
package struct TopicDeclaration: Sendable {
    /// Whether an event outlives the process that emitted it.
    package enum Delivery: String, Sendable {
        /// Kept in the outbox and delivered at least once to each subscriber.
        case durable
        /// "Changed, read again": sent to current listeners, and may be dropped.
        case live
    }

    /// One member of the event's body.
    package struct Field: Sendable, Equatable {
        /// The JSON type of a field.
        package enum Kind: String, Sendable {
            case string, integer, number, boolean, object, array
        }

        /// The member's name; a unit belongs into it (`duration_ms`).
        package let name: String
        /// Its JSON type.
        package let kind: Kind
        /// Whether it may be missing.
        package let isOptional: Bool
        /// The meaning, in one sentence.
        package let summary: String

        package init(_ name: String, _ kind: Kind, optional: Bool = false, _ summary: String) {
            self.name = name
            self.kind = kind
            isOptional = optional
            self.summary = summary
        }
    }

    /// The topic declared.
    package let topic: Topic
    /// The version of the body; it grows when a field changes its meaning. New fields leave it alone.
    package let version: Int
    /// Whether it is stored or only announced.
    package let delivery: Delivery
    /// The meaning, in one sentence.
    package let summary: String
    /// The kind of the event's subject, such as `contact id`.
    package let subject: String
    /// The members of the body.
    package let fields: [Field]
    /// The event that the page shows; nil for one that is written there.
    package let example: Event?

    package init(
        _ topic: Topic, version: Int = 1, delivery: Delivery = .durable, _ summary: String, subject: String,
        fields: [Field] = [], example: Event? = nil
    ) {
        self.topic = topic
        self.version = version
        self.delivery = delivery
        self.summary = summary
        self.subject = subject
        self.fields = fields
        self.example = example
    }
}
