import Commands
import Storage

extension StoredEvent {
    /// The columns of events, the same as the members of their JSON form.
    static let fields = [
        Field<StoredEvent>(
            "seq", "SEQ", help: "sequence number, in the order of the commits", align: .trailing,
            cell: { String($0.sequence) }
        ) {
            .integer(Int($0.sequence))
        },
        Field<StoredEvent>("at", "AT", help: "time of the event") { .instant($0.at) },
        Field<StoredEvent>("topic", "TOPIC", help: "topic of the event") { .text($0.topic.text) },
        Field<StoredEvent>("version", "VERSION", help: "version of the body", column: .onRequest) {
            .integer($0.event.version)
        },
        Field<StoredEvent>("subject", "SUBJECT", help: "id of the item that the event is about", column: .ifRoom(1)) {
            .text($0.subject)
        },
        Field<StoredEvent>("operation", "OPERATION", help: "id of the operation that caused it", column: .onRequest) {
            FieldValue($0.operation)
        },
        Field<StoredEvent>(
            "body", "BODY", help: "body of the event", column: .ifRoom(2), cell: { $0.event.body },
            { event in (try? event.event.fields()).map(FieldValue.init) ?? .null }),
    ]
}
