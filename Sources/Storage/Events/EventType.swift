/// A kind of events with a typed body: one declaration gives the topic, the page in `docs/events` with its example, what writes a
/// body, and what reads it.
///
/// ```swift
/// struct Brewed: EventBody {
///     var name: String
///     var grams: Int
///     static let example = Brewed(name: "Sencha", grams: 5)
///     static let event = EventType(
///         "app.tea/tea-brewed", "A pot was brewed.", subject: "tea id", like: "7kt3xd9m2qwz5v8rjh41",
///         fields: [
///             EventField("name", \Brewed.name, "The name of the tea."),
///             EventField("grams", \Brewed.grams, "The leaves in grams."),
///         ])
/// }
/// try transaction.emit(Brewed.event(Brewed(name: tea.name, grams: 5), of: tea.id))
/// let brewed = try Brewed(event)
/// ```
package struct EventType<Body: EventBody>: Sendable {
    /// What the descriptor declares.
    package let declaration: TopicDeclaration
    private let fields: [EventField<Body>]

    /// The topic.
    package var topic: Topic { declaration.topic }

    /// Declares the events. `subject` is the kind of what they are about, `like` the subject of the example.
    package init(
        _ topic: Topic, version: Int = 1, delivery: TopicDeclaration.Delivery = .durable, _ summary: String,
        subject: String, like example: String, fields: [EventField<Body>]
    ) {
        self.fields = fields
        declaration = TopicDeclaration(
            topic, version: version, delivery: delivery, summary, subject: subject, fields: fields.map(\.declaration),
            example: Event(topic, version: version, subject: example) { json in
                for field in fields { field.write(Body.example, &json) }
            })
    }

    /// Returns the event with a body about `subject`, which is published once for each `key`.
    package func callAsFunction(_ body: Body, of subject: String, once key: String? = nil) -> Event {
        Event(topic, version: declaration.version, subject: subject, uniqueKey: key) { json in
            for field in fields { field.write(body, &json) }
        }
    }

    /// Reads the body of an event. Throws `invalid` when a field is missing or of another type.
    fileprivate func read(_ event: Event) throws(HubError) -> Body {
        let json = try? event.fields()
        var body = Body.example
        for field in fields where json.map({ field.read($0, &body) }) != true {
            throw HubError(
                .invalid, code: "event-invalid", "the event \(topic.text) has no valid \(field.declaration.name)")
        }
        return body
    }
}

/// The body of a kind of events.
package protocol EventBody: Sendable {
    /// The body of the example in `docs/events`.
    static var example: Self { get }
    /// The kind of events.
    static var event: EventType<Self> { get }
}

extension EventBody {
    /// Reads the body of an event. Throws `invalid` when a field is missing or of another type.
    package init(_ event: Event) throws(HubError) { self = try Self.event.read(event) }
}

/// A member of a typed body.
package struct EventField<Body: Sendable>: Sendable {
    /// The name, the JSON type and the meaning.
    package let declaration: TopicDeclaration.Field
    fileprivate let write: @Sendable (Body, inout JSONWriter) -> Void
    fileprivate let read: @Sendable (JSONValue, inout Body) -> Bool

    /// Declares the member `name`, which holds the property at `path`. A text is cut after `limit` characters.
    package init<Value: EventValue>(
        _ name: String, _ path: any WritableKeyPath<Body, Value> & Sendable, upTo limit: Int = 1000, _ summary: String
    ) {
        declaration = TopicDeclaration.Field(name, Value.kind, optional: Value.isOptional, summary)
        write = { body, json in body[keyPath: path].write(as: name, upTo: limit, to: &json) }
        read = { json, body in
            guard let value = Value(eventMember: json[name]) else { return false }
            body[keyPath: path] = value
            return true
        }
    }
}

/// A value that a typed body can hold.
package protocol EventValue: Sendable {
    /// The JSON type.
    static var kind: TopicDeclaration.Field.Kind { get }
    /// Whether the member may be missing.
    static var isOptional: Bool { get }
    /// Reads the member of a body; nil if it is missing or of another type.
    init?(eventMember json: JSONValue?)
    /// Writes the member `name`. A text is cut after `limit` characters.
    func write(as name: String, upTo limit: Int, to json: inout JSONWriter)
}

extension EventValue {
    /// No.
    package static var isOptional: Bool { false }
}

extension String: EventValue {
    /// A string.
    package static var kind: TopicDeclaration.Field.Kind { .string }

    /// Reads the member; nil if it is missing or of another type.
    package init?(eventMember json: JSONValue?) {
        guard let text = json?.string else { return nil }
        self = text
    }

    /// Writes the text.
    package func write(as name: String, upTo limit: Int, to json: inout JSONWriter) {
        json.name(name)
        json.value(String(prefix(limit)))
    }
}

extension Int: EventValue {
    /// A whole number.
    package static var kind: TopicDeclaration.Field.Kind { .integer }

    /// Reads the member; nil if it is missing or of another type.
    package init?(eventMember json: JSONValue?) {
        guard let number = json?.integer else { return nil }
        self = number
    }

    /// Writes the number.
    package func write(as name: String, upTo limit: Int, to json: inout JSONWriter) {
        json.name(name)
        json.value(self)
    }
}

/// A number with a fraction in a typed body, as it is written.
package struct EventNumber: EventValue {
    /// The digits, as in JSON.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// A number.
    package static var kind: TopicDeclaration.Field.Kind { .number }

    /// Reads the member; nil if it is missing or of another type.
    package init?(eventMember json: JSONValue?) {
        guard case .number(let text)? = json else { return nil }
        self.text = text
    }

    /// Writes the number.
    package func write(as name: String, upTo limit: Int, to json: inout JSONWriter) {
        json.name(name)
        json.number(text)
    }
}

extension Bool: EventValue {
    /// Yes or no.
    package static var kind: TopicDeclaration.Field.Kind { .boolean }

    /// Reads the member; nil if it is missing or of another type.
    package init?(eventMember json: JSONValue?) {
        guard let truth = json?.bool else { return nil }
        self = truth
    }

    /// Writes the value.
    package func write(as name: String, upTo limit: Int, to json: inout JSONWriter) {
        json.name(name)
        json.value(self)
    }
}

extension EventNotification: EventValue {
    /// An object.
    package static var kind: TopicDeclaration.Field.Kind { .object }

    /// Reads the member; nil if it is missing or of another type.
    package init?(eventMember json: JSONValue?) {
        guard let title = json?["title"]?.string else { return nil }
        self.init(title, json?["body"]?.string ?? "")
    }

    /// Writes the notification.
    package func write(as name: String, upTo limit: Int, to json: inout JSONWriter) { json.notification(self) }
}

extension Optional: EventValue where Wrapped: EventValue {
    /// The type of the value.
    package static var kind: TopicDeclaration.Field.Kind { Wrapped.kind }
    /// Yes.
    package static var isOptional: Bool { true }

    /// Reads the member, or that there is none; nil if it is of another type.
    package init?(eventMember json: JSONValue?) {
        if json == nil || json == .null {
            self = .none
        } else if let value = Wrapped(eventMember: json) {
            self = value
        } else {
            return nil
        }
    }

    /// Writes the value, or nothing.
    package func write(as name: String, upTo limit: Int, to json: inout JSONWriter) {
        self?.write(as: name, upTo: limit, to: &json)
    }
}
