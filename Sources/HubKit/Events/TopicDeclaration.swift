/// What a plugin's descriptor says about one topic that it emits.
///
/// The same words stand in `docs/events/<topic>.json`; a test compares both, and each consumer's decoding is tested
/// against the example there.
package struct TopicDeclaration: Sendable {
    /// Whether an event outlives the process that emitted it.
    package enum Delivery: String, Sendable {
        /// Kept in the outbox and delivered at least once to each subscriber.
        case durable
        /// "Changed, read again": told to who listens at the moment, and may be dropped.
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
        /// What it means, in one sentence.
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
    /// Whether it is kept or only told.
    package let delivery: Delivery
    /// What happened, in one sentence.
    package let summary: String
    /// What the subject of the event is, such as `contact id`.
    package let subject: String
    /// The members of the body.
    package let fields: [Field]

    package init(
        _ topic: Topic, version: Int = 1, delivery: Delivery = .durable, _ summary: String, subject: String,
        fields: [Field] = []
    ) {
        self.topic = topic
        self.version = version
        self.delivery = delivery
        self.summary = summary
        self.subject = subject
        self.fields = fields
    }
}
