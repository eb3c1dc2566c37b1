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
