package import Commands
package import Storage

extension TopicPattern: ArgumentValue {
    /// Parses a pattern such as `app.contacts/*`.
    package static func parse(argument: String) throws(InvalidArgument) -> TopicPattern {
        guard let pattern = TopicPattern(argument) else {
            throw InvalidArgument(expected: "a topic such as 'app.contacts/*'", hint: "* matches any part")
        }
        return pattern
    }
}

extension Topic: ArgumentValue {
    /// Parses a topic such as `app.user/pomodoro-done`.
    package static func parse(argument: String) throws(InvalidArgument) -> Topic {
        guard let topic = Topic(argument) else {
            throw InvalidArgument(
                expected: "a topic such as app.user/pomodoro-done", hint: "layer.context/entity, in lower case")
        }
        return topic
    }
}
