package import Storage

extension TopicDeclaration {
    /// Declares the topic of ``Transaction/remind(_:of:once:_:)``. `noun` is the singular of the items.
    package static func reminder(_ topic: Topic, _ summary: String, of noun: String) -> TopicDeclaration {
        TopicDeclaration(
            topic, summary, subject: "\(noun) id",
            fields: [.init("name", .string, "The name of the \(noun)."), EventNotification.field()])
    }
}

extension Transaction {
    /// Publishes a reminder of an item, once per `period`, such as a day.
    package func remind(
        _ topic: Topic, of item: some EntitySummary, once period: some CustomStringConvertible,
        _ notification: EventNotification
    ) throws {
        try emit(
            Event(topic, subject: item.id, uniqueKey: "\(item.id):\(period)") { body in
                body.name("name")
                body.value(String(item.name.prefix(1000)))
                body.notification(notification)
            })
    }
}
