import HubKit

extension StoredEvent {
    /// The columns of events, the same as the members of their JSON form.
    static let fields = [
        Field<StoredEvent>(
            "seq", "SEQ", help: "its number, in the order of the commits", align: .trailing,
            cell: { String($0.sequence) }
        ) {
            .integer(Int($0.sequence))
        },
        Field<StoredEvent>("at", "AT", help: "when it happened") { .instant($0.at) },
        Field<StoredEvent>("topic", "TOPIC", help: "what kind of thing happened") { .text($0.topic.text) },
        Field<StoredEvent>("version", "VERSION", help: "the version of its body", column: .onRequest) {
            .integer($0.event.version)
        },
        Field<StoredEvent>("subject", "SUBJECT", help: "the id of what it happened to", column: .ifRoom(1)) {
            .text($0.subject)
        },
        Field<StoredEvent>("operation", "OPERATION", help: "the change it came from", column: .onRequest) {
            FieldValue($0.operation)
        },
        Field<StoredEvent>(
            "body", "BODY", help: "what is told of it", column: .ifRoom(2), cell: { $0.event.body },
            { event in (try? event.event.fields()).map(FieldValue.init) ?? .null }),
    ]
}

extension FieldValue {
    /// A value of JSON as a field.
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .number(let text): self = .number(text)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map(FieldValue.init))
        case .object(let members): self = .object(members.map { Member($0.name, FieldValue($0.value)) })
        }
    }
}
