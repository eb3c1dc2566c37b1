package import Storage

extension TopicDeclaration {
    /// The path of the topic's document below `docs/events`.
    package var documentPath: String { "\(topic.text).json" }

    /// In what the topic's page in `docs/events` differs from the declaration; empty when in nothing. The pages of toy plugins are in
    /// `Tests/ToyPlugins/Events`.
    package func differencesFromPage() throws -> [String] {
        let root = #filePath.replacing("Tests/HubKitTesting/TopicDeclaration+Document.swift", with: "")
        let folders = ["docs/events", "Tests/ToyPlugins/Events"]
        let page = folders.lazy.compactMap { folder in
            try? BoundedFile.read("\(root)\(folder)/\(documentPath)", limit: 100_000)
        }.first
        guard let page else { return ["\(topic): docs/events/\(documentPath) is missing"] }
        return differences(from: try JSONReader.read(page))
    }

    /// In what `document`, the topic's page in `docs/events`, differs from the declaration; empty when in nothing.
    ///
    /// The page's `example` is an event as hooks get it. It must hold every required field in its type, and none that
    /// is not declared; a consumer's test decodes it. With `isExampleOwn` it is the example of the declaration, if there is one.
    package func differences(from document: JSONValue, isExampleOwn: Bool = true) -> [String] {
        var differences: [String] = []
        func compare(_ name: String, _ value: JSONValue) {
            if document[name] != value { differences.append("\(topic): \(name) differs from the declaration") }
        }
        compare("topic", .string(topic.text))
        compare("version", .number(String(version)))
        compare("delivery", .string(delivery.rawValue))
        compare("summary", .string(summary))
        compare("subject", .string(subject))
        compare("fields", .array(fields.map(\.description)))
        if isExampleOwn, let example, let body = try? example.fields() {
            if document["example"]?["body"] != body { differences.append("\(topic): the example has another body") }
            if document["example"]?["subject"]?.string != example.subject {
                differences.append("\(topic): the example has another subject")
            }
        }
        return differences + differencesOfExample(document["example"] ?? .null)
    }

    private func differencesOfExample(_ example: JSONValue) -> [String] {
        guard case .object(let members) = example["body"] else { return ["\(topic): the example has no body"] }
        var differences: [String] = []
        if example["topic"]?.string != topic.text { differences.append("\(topic): the example has another topic") }
        if example["version"]?.integer != version { differences.append("\(topic): the example has another version") }
        for field in fields {
            let value = example["body"]?[field.name]
            if value == nil, !field.isOptional { differences.append("\(topic): the example lacks \(field.name)") }
            if let value, !field.kind.admits(value) {
                differences.append("\(topic): \(field.name) is not of type \(field.kind.rawValue) in the example")
            }
        }
        for member in members where !fields.contains(where: { $0.name == member.name }) {
            differences.append("\(topic): \(member.name) is not declared")
        }
        return differences
    }
}

extension TopicDeclaration.Field {
    /// The field as the page lists it.
    fileprivate var description: JSONValue {
        .object([
            JSONValue.Member(name: "name", value: .string(name)),
            JSONValue.Member(name: "type", value: .string(kind.rawValue)),
            JSONValue.Member(name: "optional", value: .bool(isOptional)),
            JSONValue.Member(name: "summary", value: .string(summary)),
        ])
    }
}

extension TopicDeclaration.Field.Kind {
    /// Whether `value` is of this type.
    fileprivate func admits(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.number, .number), (.boolean, .bool), (.object, .object), (.array, .array): true
        case (.integer, .number): value.integer != nil
        default: false
        }
    }
}
