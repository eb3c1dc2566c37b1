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
