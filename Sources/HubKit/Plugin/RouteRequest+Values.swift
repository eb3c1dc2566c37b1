package import CivilDate

extension RouteRequest {
    /// The id in the path. Throws a usage error if the pattern has none.
    package var id: String {
        get throws(HubError) {
            if let id = captures["id"] { return id }
            throw HubError(.usage, code: "id-missing", "the path has no id")
        }
    }

    /// The revision in `If-Match`. Throws a usage error without it.
    package var revision: Int {
        get throws(HubError) {
            if let revision = ifMatch.flatMap({ Int($0) }) { return revision }
            throw HubError(
                .usage, code: "revision-missing", "the request has no If-Match header with the revision",
                hint: "send the ETag or revision that was read, such as If-Match: \"3\"")
        }
    }

    /// Returns the JSON object in the body, of at most `limit` bytes and `depth` levels; `example` is the hint for a
    /// body that is none.
    package func json(
        limit: Int = 1 << 20, depth: Int = 16, example: String = #"{"name": "Read"}"#
    ) throws(HubError) -> JSONValue {
        let json: JSONValue
        do throws(JSONReader.Problem) {
            json = try JSONReader.read(body, limits: JSONReader.Limits(bytes: limit, depth: depth))
        } catch {
            throw HubError(
                .usage, code: "json-invalid", "the body is not valid JSON", details: ["at byte \(error.offset)"],
                hint: "send an object such as \(example)")
        }
        if case .object = json { return json }
        throw HubError(
            .invalid, code: "json-invalid", "the body is not a JSON object", hint: "send an object such as \(example)")
    }

    /// Returns the whole number in the field `name` of the query; nil without it. Throws if it is outside `range`.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(HubError) -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        throw HubError(field: name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// Returns the day in the field `name` of the query; nil without it.
    package func day(_ name: String) throws(HubError) -> CivilDate? {
        guard let text = query[name], !text.isEmpty else { return nil }
        return try RouteRequest.day(text)
    }

    /// Parses a day of the path or the query.
    package static func day(_ text: String) throws(HubError) -> CivilDate {
        if let day = CivilDate(text) { return day }
        throw HubError(.usage, code: "date-invalid", "invalid date \"\(text)\"", hint: "write 2026-11-20")
    }
}

extension JSONValue {
    /// Returns the text in the member `name` of a request's object, without spaces around it. Throws if it is missing,
    /// blank or not a string.
    package func text(_ name: String) throws(HubError) -> String {
        let text = self[name]?.string ?? ""
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        if !trimmed.isEmpty { return String(trimmed) }
        throw HubError(field: name, "must be a string that is not empty")
    }

    /// Returns the whole number in the member `name` of a request's object. Throws if it is missing or outside `range`.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(HubError) -> Int {
        if let number = self[name]?.integer, range.contains(number) { return number }
        throw HubError(
            field: name,
            "must be a whole number from \(NumberFormat.grouped(range.lowerBound)) to \(NumberFormat.grouped(range.upperBound))"
        )
    }
}

extension HubError {
    /// Creates an error for an invalid field of a request: `"by" must be a whole number`.
    package init(field: String, _ message: String) {
        self.init(.invalid, code: "field-invalid", "\"\(field)\" \(message)")
        problems = [FieldProblem(field: field, self.message, code: code)]
    }
}
