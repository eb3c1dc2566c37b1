import CivilDate
import HubKit
import MinteeDomain

/// The HTTP routes of Mintee: the JSON that the page and other programs read. Each route calls the use case of
/// the corresponding command.
enum MinteeRoutes {
    static let all = DayRoutes.all + TaskRoutes.all + FormRoutes.all + AnalysisRoutes.all + settings

    private static let settings = [
        Route(.get, "/api/mintee/theme", summary: "get the theme of the page") { (mintee: MinteePlugin, _) in
            .output(.record(try await mintee.theme(), themeFields))
        },
        Route(.put, "/api/mintee/theme", summary: "set the theme of the page") { (mintee: MinteePlugin, request) in
            let name = try request.json()["theme"]?.string ?? ""
            return .output(.record(try await mintee.setTheme(name, operation: request.operation), themeFields))
        },
        Route(.get, "/api/mintee/check", summary: "list rule violations") {
            (mintee: MinteePlugin, _) in
            .output(.list(try await mintee.ruleViolations(), CheckCommand.fields))
        },
    ]

    private static let themeFields = [
        Field<Theme>("theme", "THEME", help: "current theme") { .text($0.rawValue) },
        Field<Theme>("themes", "THEMES", help: "available themes") { _ in FieldValue(Theme.allCases.map(\.rawValue)) },
    ]
}

extension RouteRequest {
    /// Returns the id of the task or analysis in the path.
    var id: String {
        get throws {
            guard let id = captures["id"] else {
                throw HubError(.usage, code: "id-missing", "the path has no id")
            }
            return id
        }
    }

    /// Returns the revision of `If-Match`; throws a usage error without it.
    var revision: Int {
        get throws {
            guard let revision = ifMatch.flatMap({ Int($0) }) else {
                throw HubError(
                    .usage, code: "revision-missing", "the request has no If-Match header with the revision",
                    hint: "send the revision that was read, such as If-Match: \"3\"")
            }
            return revision
        }
    }

    /// Returns the object in the body.
    func json() throws(HubError) -> JSONValue {
        let limits = JSONReader.Limits(bytes: 1 << 20, depth: 16)
        guard let json = try? JSONReader.read(body, limits: limits), case .object = json else {
            throw HubError(
                .invalid, code: "json-invalid", "the body is not a JSON object",
                hint: #"send an object such as {"name": "Read"}"#)
        }
        return json
    }

    /// Returns the whole number of a query field; nil without it. Throws if it is outside `range`.
    func number(_ name: String, in range: ClosedRange<Int>) throws(HubError) -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw HubError(field: name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the day of a query field; nil without it.
    func day(_ name: String) throws(HubError) -> CivilDate? {
        guard let text = query[name], !text.isEmpty else { return nil }
        return try RouteRequest.day(text)
    }

    /// Parses a day.
    static func day(_ text: String) throws(HubError) -> CivilDate {
        guard let day = CivilDate(text) else {
            throw HubError(.usage, code: "date-invalid", "\"\(text)\" is not a date", hint: "write 2026-11-20")
        }
        return day
    }
}

extension Entities {
    /// Returns the item with the id of a path, or the only one whose id begins with it, as in `hub web mintee:7kt`.
    func item(_ id: String) async throws -> Record {
        do {
            return try await get(id)
        } catch let error as HubError where error.kind == .notFound && Identifier.isPrefix(id) {
            let found = try await resolve(id)
            guard found.count == 1 else { throw error }
            return try await get(found[0].id)
        }
    }
}

extension HubError {
    /// Creates an error for an invalid field of a request: `"by" must be a whole number`.
    init(field: String, _ message: String) {
        self.init(.invalid, code: "field-invalid", "\"\(field)\" \(message)")
        problems = [FieldProblem(field: field, self.message, code: code)]
    }
}
