import Commands
import HubKit

/// What a route declares of its requests, as a JSON Schema and as a check. Programs are held to it; what is not declared is refused,
/// so that a typing error in the name of a member is told.
struct RouteForm: Sendable {
    private let route: Route
    private let example: JSONValue?

    init(_ route: Route) {
        self.route = route
        example = route.body.flatMap { try? JSONReader.read(Array($0.utf8)) }
    }

    /// Throws `invalid` for a request that is not as declared, with the fields that are wrong.
    func check(_ request: RouteRequest) throws {
        for parameter in route.query {
            guard case .integer(let range) = parameter.values, let text = request.query[parameter.name] else {
                continue
            }
            guard !text.isEmpty else { throw HubError(field: parameter.name, "is empty") }
            _ = try request.number(parameter.name, in: range)
        }
        guard let body = route.body, case .object(let known)? = example else { return }
        let limit = 32 << 20
        guard case .object(let members) = try request.json(limit: limit, example: body) else { return }
        for name in route.required where !members.contains(where: { $0.name == name }) {
            throw HubError(field: name, "is missing")
        }
        if known.isEmpty { return }
        for member in members {
            guard let form = known.first(where: { $0.name == member.name }) else {
                throw HubError(field: member.name, "is not a member of this request")
            }
            guard Self.fits(member.value, form.value) else {
                throw HubError(field: member.name, "must be \(Self.words(form.value))")
            }
        }
    }

    /// Whether a value has the form of an example. Members of objects within arrays are left to the route.
    private static func fits(_ value: JSONValue, _ example: JSONValue) -> Bool {
        switch (example, value) {
        case (.null, _), (.bool, .bool), (.string, .string), (.object, .object): true
        case (.number, .number(let text)): Int(text) != nil
        case (.array(let forms), .array(let elements)):
            forms.first.map { form in elements.allSatisfy { fits($0, form) } } ?? true
        default: false
        }
    }

    private static func words(_ example: JSONValue) -> String {
        switch example {
        case .null: "any value"
        case .bool: "true or false"
        case .number: "a whole number"
        case .string: "a string"
        case .array(let elements): elements.first.map { "an array, each \(words($0))" } ?? "an array"
        case .object: "an object"
        }
    }

    // MARK: Schema

    static let text = JSONValue.members(["type": .string("string")])

    /// The body, by its example; nil without one.
    var body: JSONValue? {
        if route.takesBytes {
            return .members([
                "required": .bool(true),
                "content": .members(["application/octet-stream": .members(["schema": .object([])])]),
            ])
        }
        guard let example, case .object(let known) = example else { return nil }
        let schema = JSONValue.members([
            "type": .string("object"),
            "required": route.required.isEmpty ? nil : .array(route.required.map(JSONValue.string)),
            "properties": .object(known.map { .init(name: $0.name, value: Self.schema($0.value)) }),
            "additionalProperties": .bool(known.isEmpty),
        ])
        return .members([
            "required": .bool(true),
            "content": .members(["application/json": .members(["schema": schema, "example": example])]),
        ])
    }

    /// The schema of a field of the query.
    static func schema(_ parameter: Route.Parameter) -> JSONValue {
        switch parameter.values {
        case .text: text
        case .integer(let range):
            .members([
                "type": .string("integer"), "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound),
            ])
        }
    }

    private static func schema(_ example: JSONValue) -> JSONValue {
        switch example {
        case .null: .object([])
        case .bool: .members(["type": .string("boolean")])
        case .number: .members(["type": .string("integer")])
        case .string: text
        case .array(let elements):
            .members(["type": .string("array"), "items": elements.first.map(schema) ?? .object([])])
        case .object(let members):
            .members([
                "type": .string("object"),
                "properties": .object(members.map { .init(name: $0.name, value: schema($0.value)) }),
            ])
        }
    }

    /// The answer: an array of rows, or an object, whose members have the types of their fields.
    var answer: JSONValue {
        let row = JSONValue.members([
            "type": .string("object"),
            "properties": .object(route.fields.map { .init(name: $0.name, value: Self.schema($0)) }),
        ])
        let list = JSONValue.members(["type": .string("array"), "items": row])
        return route.isList ? list : .members(["anyOf": .array([row, list])])
    }

    private static func schema(_ field: FieldDescriptor) -> JSONValue {
        let help = JSONValue.string(field.help)
        func orNull(_ type: String, items: String? = nil) -> JSONValue {
            .members([
                "type": .array([.string(type), .string("null")]),
                "items": items.map { .members(["type": .string($0)]) }, "description": help,
            ])
        }
        return switch field.type {
        case nil: .members(["description": help])
        case .text: orNull("string")
        case .integer: orNull("integer")
        case .bool: orNull("boolean")
        case .texts: orNull("array", items: "string")
        case .objects: orNull("array", items: "object")
        case .object: orNull("object")
        }
    }
}
