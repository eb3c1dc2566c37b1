import Commands
package import HubKit
import WebServer

/// The HTTP API as an OpenAPI 3.1 document, made from what routes declare.
///
/// Routes declare the names of the members of an answer and not their types, so a member has a description and any type.
package enum APIDescription {
    /// The path at which `hub serve` has the document.
    package static let path = "/api/openapi.json"

    /// Returns the document of the routes of these plugins, always in the same order.
    package static func document(of plugins: [PluginDescriptor]) -> JSONValue {
        var paths: [(path: String, operations: [JSONValue.Member])] = []
        for plugin in plugins {
            for route in plugin.routes {
                let operation = JSONValue.Member(
                    name: route.method.rawValue.lowercased(), value: operation(route, of: plugin.id))
                if let known = paths.firstIndex(where: { $0.path == route.pattern }) {
                    paths[known].operations.append(operation)
                } else {
                    paths.append((route.pattern, [operation]))
                }
            }
        }
        return .members([
            "openapi": .string("3.1.0"),
            "info": .members([
                "title": .string("hub"), "version": .string(HubVersion.number),
                "description": .string(
                    "The routes of the pages of hub serve. A change answers with the header Hub-Operation, which POST /api/undo takes back."
                ),
            ]),
            "servers": .array([.members(["url": .string("/")])]),
            "security": .array([.members(["session": .array([]), "key": .array([])])]),
            "tags": .array(
                plugins.map { .members(["name": .string($0.id), "description": .string($0.summary)]) }),
            "paths": .object(paths.map { .init(name: $0.path, value: .object($0.operations)) }),
            "components": components,
        ])
    }

    private static func operation(_ route: Route, of plugin: String) -> JSONValue {
        let summary = route.summary + (route.details.map { ", \($0)" } ?? "")
        var parameters = captures(of: route.pattern).map { name in
            JSONValue.members([
                "name": .string(name), "in": .string("path"), "required": .bool(true), "schema": text,
            ])
        }
        parameters += route.query.map { field in
            .members([
                "name": .string(field.name), "in": .string("query"), "description": .string(field.help), "schema": text,
            ])
        }
        if route.method == .put || route.method == .delete {
            parameters.append(.members(["$ref": .string("#/components/parameters/IfMatch")]))
        }
        return .members([
            "operationId": .string(identifier(route)), "tags": .array([.string(plugin)]), "summary": .string(summary),
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": route.body.map(body),
            "responses": .members([
                "200": success(route), "201": route.method == .post ? success(route) : nil,
                "default": .members(["$ref": .string("#/components/responses/Error")]),
            ]),
        ])
    }

    private static let text = JSONValue.members(["type": .string("string")])

    /// `get_contacts_by_id_photo` for `GET /api/contacts/{id}/photo`.
    private static func identifier(_ route: Route) -> String {
        let parts = route.pattern.split(separator: "/").drop { $0 == "api" }.map { part in
            part.hasPrefix("{") ? "by_" + part.dropFirst().dropLast() : String(part)
        }
        return ([route.method.rawValue.lowercased()] + parts).joined(separator: "_")
            .replacing("-", with: "_").replacing(".", with: "_")
    }

    private static func captures(of pattern: String) -> [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.map {
            String($0.dropFirst().dropLast())
        }
    }

    /// The body by its example.
    private static func body(_ example: String) -> JSONValue {
        let value = try? JSONReader.read(Array(example.utf8))
        return .members([
            "content": .members([
                "application/json": .members([
                    "schema": value.map(schema) ?? .members(["type": .string("object")]), "example": value,
                ])
            ])
        ])
    }

    private static func schema(_ example: JSONValue) -> JSONValue {
        switch example {
        case .null: .object([])
        case .bool: .members(["type": .string("boolean")])
        case .number(let text): .members(["type": .string(Int(text) == nil ? "number" : "integer")])
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

    private static func success(_ route: Route) -> JSONValue {
        let headers = JSONValue.members(["Hub-Operation": .members(["$ref": .string("#/components/headers/Operation")])]
        )
        guard !route.fields.isEmpty else {
            return .members([
                "description": .string("done"), "headers": route.method == .get ? nil : headers,
            ])
        }
        let row = JSONValue.members([
            "type": .string("object"),
            "properties": .object(
                route.fields.map { .init(name: $0.name, value: .members(["description": .string($0.help)])) }),
        ])
        let list = JSONValue.members(["type": .string("array"), "items": row])
        return .members([
            "description": .string("an object, or an array of such objects"),
            "headers": route.method == .get ? nil : headers,
            "content": .members([
                "application/json": .members(["schema": .members(["anyOf": .array([row, list])])])
            ]),
        ])
    }

    private static let components = JSONValue.members([
        "securitySchemes": .members([
            "session": .members([
                "type": .string("apiKey"), "in": .string("cookie"), "name": .string("hub-4820"),
                "description": .string(
                    "the session of a browser that has opened the link of hub web; the name ends with the port"),
            ]),
            "key": .members([
                "type": .string("apiKey"), "in": .string("header"), "name": .string("Hub-Key"),
                "description": .string("the key of the session, which its pages have"),
            ]),
        ]),
        "parameters": .members([
            "IfMatch": .members([
                "name": .string("If-Match"), "in": .string("header"), "schema": text,
                "description": .string("the revision that was read; 409 if there is a newer one"),
            ])
        ]),
        "headers": .members([
            "Operation": .members(["description": .string("id of the operation, for POST /api/undo"), "schema": text])
        ]),
        "responses": .members([
            "Error": .members([
                "description": .string("the request failed"),
                "content": .members([
                    "application/json": .members(["schema": .members(["$ref": .string("#/components/schemas/Error")])])
                ]),
            ])
        ]),
        "schemas": .members([
            "Error": .members([
                "type": .string("object"), "required": .array([.string("error")]),
                "properties": .members([
                    "error": .members([
                        "type": .string("object"), "required": .array([.string("code"), .string("message")]),
                        "properties": .members([
                            "code": text, "message": text,
                            "details": .members(["type": .string("array"), "items": text]),
                            "hint": .members(["type": .array([.string("string"), .string("null")])]),
                            "problems": .members(["type": .string("array")]),
                        ]),
                    ])
                ]),
            ])
        ]),
    ])
}

extension WebRoute {
    /// `GET /api/openapi.json`: the description of the HTTP API.
    static func apiDescription(_ hub: Hub) -> WebRoute {
        WebRoute(.get, APIDescription.path, use: .programs) { _, _ in
            let document = APIDescription.document(of: try hub.enabledDescriptors())
            return HTTPResponse(
                headers: ["Content-Type": "application/vnd.oai.openapi+json;version=3.1"],
                body: .bytes(Array(document.line.utf8)))
        }
    }
}
