import HubKit

/// A tool as an assistant sees it.
struct AssistantTool: Sendable {
    /// What a call may do.
    enum Effect: Sendable {
        case reads, adds, changes, removes
    }

    let name: String
    let title: String
    let description: String
    var effect = Effect.reads
    var isIdempotent = true
    let parameters: [ToolParameter]

    /// The entry of `tools/list`.
    var json: JSONValue {
        .members([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": schema,
            "annotations": .members([
                "readOnlyHint": .bool(effect == .reads), "destructiveHint": .bool(effect == .removes),
                "idempotentHint": .bool(isIdempotent), "openWorldHint": .bool(false),
            ]),
        ])
    }

    /// The schema of the arguments, in the plain keywords that all hosts understand.
    private var schema: JSONValue {
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .members([
            "type": .string("object"), "additionalProperties": .bool(false),
            "properties": .object(parameters.map { JSONValue.Member(name: $0.name, value: $0.schema) }),
            "required": required.isEmpty ? nil : .array(required),
        ])
    }

    /// Throws for arguments that are not as declared.
    func check(_ arguments: JSONValue) throws(HubError) {
        guard case .object(let members) = arguments else { throw Self.invalid("the arguments must be an object") }
        for member in members where !parameters.contains(where: { $0.name == member.name }) {
            let names = parameters.map(\.name)
            throw Self.invalid(
                "\(name) has no argument \"\(String(member.name.prefix(40)))\"",
                hint: "its arguments: \(names.joined(separator: ", "))")
        }
        for parameter in parameters {
            guard let value = arguments[parameter.name], value != .null else {
                guard parameter.isRequired else { continue }
                throw Self.invalid("\(name) needs the argument \"\(parameter.name)\"", hint: parameter.help)
            }
            if let problem = parameter.problem(of: value) {
                throw Self.invalid("\"\(parameter.name)\" \(problem)", hint: parameter.help)
            }
        }
    }

    static func invalid(_ message: String, hint: String? = nil) -> HubError {
        HubError(.usage, code: "argument-invalid", message, hint: hint)
    }
}

extension ToolParameter {
    fileprivate var schema: JSONValue {
        let help = ("description", JSONValue.string(help))
        switch value {
        case .id:
            return .members([
                "type": .string("string"), "pattern": .string("^([a-z0-9]+:)?[0-9][0-9a-z]{19}$"), help.0: help.1,
            ])
        case .text(let limit):
            return .members(["type": .string("string"), "minLength": .int(1), "maxLength": .int(limit), help.0: help.1])
        case .texts(let count):
            let item = JSONValue.members([
                "type": .string("string"), "minLength": .int(1), "maxLength": .int(Self.longest),
            ])
            return .members([
                "type": .string("array"), "items": item, "minItems": .int(1), "maxItems": .int(count), help.0: help.1,
            ])
        case .number: return .members(["type": .string("number"), help.0: help.1])
        case .integer(let range):
            return .members([
                "type": .string("integer"), "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound),
                help.0: help.1,
            ])
        case .flag: return .members(["type": .string("boolean"), help.0: help.1])
        case .choice(let words):
            return .members([
                "type": .string("string"), "enum": .array(words.map(JSONValue.string)), help.0: help.1,
            ])
        }
    }

    /// The most characters of a text in a list.
    private static let longest = 2000

    /// What is wrong with a value; nil if nothing is.
    fileprivate func problem(of given: JSONValue) -> String? {
        switch value {
        case .id:
            let id = given.string?.split(separator: ":").last ?? ""
            return id.utf8.count == Identifier.length && Identifier.isPrefix(id) ? nil : "is not a full id"
        case .text(let limit): return Self.problem(of: given.string, limit)
        case .texts(let count):
            guard let texts = given.array, (1...count).contains(texts.count) else {
                return "must be 1 to \(count) texts"
            }
            return texts.lazy.compactMap { Self.problem(of: $0.string, Self.longest) }.first
        case .number:
            // Neither 1e999 nor a number with hundreds of digits.
            guard case .number(let text) = given, text.utf8.count <= 30, let number = Double(text), number.isFinite
            else {
                return "must be a number"
            }
            return nil
        case .integer(let range):
            return given.integer.map(range.contains) == true
                ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: return given.bool == nil ? "must be true or false" : nil
        case .choice(let words):
            return given.string.map(words.contains) == true ? nil : "must be one of \(words.joined(separator: ", "))"
        }
    }

    private static func problem(of text: String?, _ limit: Int) -> String? {
        guard let text else { return "must be a text" }
        if text.isEmpty { return "is empty" }
        if text.unicodeScalars.count > limit { return "is longer than \(limit) characters" }
        // A dash stands for standard input in commands.
        return text == "-" ? "cannot be a dash alone" : nil
    }
}
