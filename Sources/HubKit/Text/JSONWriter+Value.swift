extension JSONWriter {
    /// A value that was read, numbers and the order of members as they were.
    package mutating func value(_ json: JSONValue) {
        switch json {
        case .null: null()
        case .bool(let truth): value(truth)
        case .number(let text): number(text)
        case .string(let text): value(text)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }
}
