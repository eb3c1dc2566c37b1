package import JSON
package import MarketDomain

/// Requests and responses of status-go's `CallRPC` (JSON-RPC 2.0).
package enum StatusGoRPC {
    /// The code of a method that this version does not have.
    package static let methodNotFound = -32601

    private static let limits = JSONReader.Limits(bytes: 16 << 20, depth: 32, isLenient: true)

    /// Writes a request; status-go requires an id.
    package static func request(id: Int, method: String, parameters: [JSONValue]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("jsonrpc")
            writer.value("2.0")
            writer.name("id")
            writer.value(id)
            writer.name("method")
            writer.value(method)
            writer.name("params")
            writer.value(.array(parameters))
        }
        return writer.bytes
    }

    /// Returns the parameters of `wallet_fetchMarketTokenPageAsync`; its sort order is only echoed.
    package static func pageParameters(page: Int, size: Int, currency: Currency) -> [JSONValue] {
        [.number("\(page)"), .number("\(size)"), .number("0"), .string(currency.code)]
    }

    /// Returns the result of the response to the request `id`; JSON null is a result. An error is an object, or before the
    /// login a text alone; an empty body is an error too.
    package static func result(_ body: [UInt8], id: Int) throws(GatewayError) -> JSONValue {
        guard !body.isEmpty else { throw .malformed("empty response") }
        let json: JSONValue
        do throws(JSONReader.Problem) { json = try JSONReader.read(body, limits: limits) } catch {
            throw .malformed("response: \(error.kind.reason) at byte \(error.offset)")
        }
        if let error = json["error"], error != .null {
            let text = error["message"]?.string ?? error.string ?? "error without a message"
            throw .refused(error["code"]?.integer ?? 0, String(TokenLabel.cleaned(text).prefix(200)))
        }
        guard json["id"]?.integer == id else { throw .malformed("response to another request") }
        guard case .object(let members) = json, members.contains(where: { $0.name == "result" }) else {
            throw .malformed("response without a result")
        }
        return json["result"] ?? .null
    }

    /// Checks the answer of a function under `/statusgo/`, such as `LoginAccount`, and returns it.
    package static func functionResult(status: Int, _ body: [UInt8]) throws(GatewayError) -> JSONValue {
        if status == 501 { throw .refused(501, "this version of status-go does not have the function") }
        if status >= 400 { throw ProviderErrorBody.error(status: status, body: body) }
        guard let json = try? JSONReader.read(body, limits: limits) else { throw .malformed("unreadable answer") }
        if let text = json["error"]?.string, !text.isEmpty {
            throw .refused(0, String(TokenLabel.cleaned(text).prefix(200)))
        }
        return json
    }
}
