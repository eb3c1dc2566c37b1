import Commands
package import HubKit
import WebServer

/// The HTTP API as an OpenAPI 3.1 document, made from what routes declare: what a program with a token may use.
package enum APIDescription {
    /// The path at which `hub serve` has the document.
    package static let path = "/api/openapi.json"

    /// Returns the document of the routes of these plugins, always in the same order.
    package static func document(of plugins: [PluginDescriptor]) -> JSONValue {
        var paths: [(path: String, operations: [JSONValue.Member])] = []
        for plugin in plugins {
            for route in plugin.routes where !route.isForPages {
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
                    "What programs can do with hub. A change answers with the header Hub-Operation, which POST /api/undo takes back."
                ),
            ]),
            "servers": .array([.members(["url": .string("/")])]),
            "security": .array([.members(["token": .array([])])]),
            "tags": .array(
                ([("hub", "all plugins together")] + plugins.map { ($0.id, $0.summary) }).map {
                    .members(["name": .string($0.0), "description": .string($0.1)])
                }),
            "paths": .object((paths + common).map { .init(name: $0.path, value: .object($0.operations)) }),
            "components": components,
        ])
    }

    private static func operation(_ route: Route, of plugin: String) -> JSONValue {
        let summary = route.summary + (route.details.map { ", \($0)" } ?? "")
        let form = RouteForm(route)
        var parameters = captures(of: route.pattern).map { name in
            JSONValue.members([
                "name": .string(name), "in": .string("path"), "required": .bool(true), "schema": text,
            ])
        }
        parameters += route.query.map { field in
            .members([
                "name": .string(field.name), "in": .string("query"), "description": .string(field.help),
                "schema": RouteForm.schema(field),
            ])
        }
        if route.item != nil {
            let name =
                switch route.method {
                case .get: "IfNoneMatch"
                case .post: "IfMatch"
                case .put, .delete: "IfMatchRequired"
                }
            parameters.append(.members(["$ref": .string("#/components/parameters/\(name)")]))
        }
        return .members([
            "operationId": .string(identifier(route)), "tags": .array([.string(plugin)]), "summary": .string(summary),
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": form.body,
            "responses": responses(success(route, form), isPost: route.method == .post, conditions(route)),
            "x-hub-scope": .string(APIScope(plugin: plugin, isWriting: route.method != .get).text),
        ])
    }

    private static func responses(_ success: JSONValue, isPost: Bool, _ more: [JSONValue.Member] = []) -> JSONValue {
        .object(
            [.init(name: "200", value: success)] + (isPost ? [.init(name: "201", value: success)] : []) + more
                + [.init(name: "default", value: .members(["$ref": .string("#/components/responses/Error")]))])
    }

    /// The answers that follow from the conditions of a request about one item.
    private static func conditions(_ route: Route) -> [JSONValue.Member] {
        guard route.item != nil else { return [] }
        func reference(_ status: String, _ name: String) -> JSONValue.Member {
            .init(name: status, value: .members(["$ref": .string("#/components/responses/\(name)")]))
        }
        let gone = reference("404", "Gone")
        return switch route.method {
        case .get: [reference("304", "NotModified"), gone]
        case .post: [gone, reference("412", "Changed")]
        case .put, .delete: [gone, reference("412", "Changed"), reference("428", "ConditionMissing")]
        }
    }

    /// The response to an error, for a reason.
    private static func error(_ reason: String) -> JSONValue {
        .members([
            "description": .string(reason),
            "content": .members([
                "application/problem+json": .members([
                    "schema": .members(["$ref": .string("#/components/schemas/Error")])
                ])
            ]),
        ])
    }

    /// `If-Match` or `If-None-Match`.
    private static func condition(_ name: String, _ help: String, isRequired: Bool = false) -> JSONValue {
        .members([
            "name": .string(name), "in": .string("header"), "required": .bool(isRequired), "schema": text,
            "description": .string(help),
        ])
    }

    /// The routes of all plugins together.
    private static let common: [(path: String, operations: [JSONValue.Member])] = [
        (
            "/api/undo",
            [
                .init(
                    name: "post",
                    value: .members([
                        "operationId": .string("post_undo"), "tags": .array([.string("hub")]),
                        "summary": .string("undo an operation of this program, or redo what it has undone"),
                        "requestBody": .members([
                            "required": .bool(true),
                            "content": .members([
                                "application/json": .members([
                                    "schema": .members([
                                        "type": .string("object"), "required": .array([.string("operation")]),
                                        "properties": .members(["operation": text]),
                                    ])
                                ])
                            ]),
                        ]),
                        "responses": responses(.members(["description": .string("done")]), isPost: false),
                        "x-hub-scope": .string("write"),
                    ]))
            ]
        ),
        (
            "/api/search",
            [
                .init(
                    name: "get",
                    value: .members([
                        "operationId": .string("get_search"), "tags": .array([.string("hub")]),
                        "summary": .string("find items of all plugins that the token may read"),
                        "parameters": .array([
                            .members([
                                "name": .string("q"), "in": .string("query"), "required": .bool(true),
                                "description": .string("words to search for"), "schema": text,
                            ])
                        ]),
                        "responses": responses(
                            .members([
                                "description": .string("the plugins with hits, the best first"),
                                "content": .members([
                                    "application/json": .members([
                                        "schema": .members([
                                            "type": .string("array"),
                                            "items": .members([
                                                "type": .string("object"),
                                                "properties": .members([
                                                    "plugin": text, "title": text,
                                                    "hits": .members(["type": .string("array")]),
                                                ]),
                                            ]),
                                        ])
                                    ])
                                ]),
                            ]), isPost: false),
                        "x-hub-scope": .string("read"),
                    ]))
            ]
        ),
    ]

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

    private static func success(_ route: Route, _ form: RouteForm) -> JSONValue {
        var headers: [JSONValue.Member] = []
        if route.method != .get {
            headers.append(
                .init(name: "Hub-Operation", value: .members(["$ref": .string("#/components/headers/Operation")])))
        }
        if route.method == .get, route.item != nil {
            headers.append(.init(name: "ETag", value: .members(["$ref": .string("#/components/headers/Tag")])))
        }
        if route.query.contains(.cursor) {
            headers.append(.init(name: "Link", value: .members(["$ref": .string("#/components/headers/Next")])))
        }
        return .members([
            "description": .string(
                route.fields.isEmpty ? "done" : route.isList ? "the rows" : "an object, or an array of such objects"),
            "headers": headers.isEmpty ? nil : .object(headers),
            "content": route.fields.isEmpty
                ? nil : .members(["application/json": .members(["schema": form.answer])]),
        ])
    }

    private static let components = JSONValue.members([
        "securitySchemes": .members([
            "token": .members([
                "type": .string("http"), "scheme": .string("bearer"),
                "description": .string("a token of hub api tokens add, whose scopes include x-hub-scope"),
            ])
        ]),
        "parameters": .members([
            "IfMatch": condition(
                "If-Match",
                "the ETag or the revision that was read, or several, or *; 412 if the item has another one now"),
            "IfMatchRequired": condition(
                "If-Match",
                "the ETag or the revision that was read, or several, or *; 412 if the item has another one now, 428 without it",
                isRequired: true),
            "IfNoneMatch": condition("If-None-Match", "the ETag that the program has; 304 if it is still right"),
        ]),
        "headers": .members([
            "Tag": .members([
                "description": .string(
                    "the revision of the item and a hash of the answer, for If-None-Match and If-Match"),
                "schema": text,
            ]),
            "Operation": .members(["description": .string("id of the operation, for POST /api/undo"), "schema": text]),
            "Next": .members([
                "description": .string(
                    "the next part of the list, as <PATH>; rel=\"next\" (RFC 8288); none for the last"),
                "schema": text,
            ]),
        ]),
        "responses": .members([
            "Error": error("the request failed"),
            "NotModified": .members([
                "description": .string("the program has it already"),
                "headers": .members(["ETag": .members(["$ref": .string("#/components/headers/Tag")])]),
            ]),
            "Gone": error("the item is not there, or in the trash"),
            "Changed": error("the item has another revision now"),
            "ConditionMissing": error("the request has no If-Match"),
        ]),
        "schemas": .members([
            "Error": .members([
                "type": .string("object"),
                "required": .array(["type", "title", "status", "detail", "code"].map(JSONValue.string)),
                "properties": .members([
                    "type": text, "title": text, "status": .members(["type": .string("integer")]), "detail": text,
                    "code": text, "exit": .members(["type": .string("integer")]),
                    "details": .members(["type": .string("array"), "items": text]),
                    "hint": .members(["type": .array([.string("string"), .string("null")])]),
                    "problems": .members([
                        "type": .string("array"),
                        "items": .members([
                            "type": .string("object"), "required": .array([.string("field"), .string("message")]),
                            "properties": .members([
                                "field": text, "message": text,
                                "index": .members(["type": .array([.string("integer"), .string("null")])]),
                                "hint": .members(["type": .array([.string("string"), .string("null")])]),
                                "code": text,
                            ]),
                        ]),
                    ]),
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
