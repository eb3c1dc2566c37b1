import Commands
import Contacts
import Dictofun
import Glibc
import HubKit
import Market
import Mintee
import Notes
import TestSupport
import Testing

@testable import HubRuntime

/// `docs/api.md`, which is made of the declarations of all routes. `HUB_UPDATE_GOLDEN=1` writes it.
struct APIPageTests {
    private static let plugins: [any Plugin.Type] = [
        ContactsPlugin.self, NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self,
    ]

    @Test func `the page on the HTTP API says what the routes declare`() {
        let path = #filePath.replacing("Tests/HubRuntimeTests/Web/APIPageTests.swift", with: "docs/api.md")
        let page = Self.introduction + Self.plugins.map { Self.section($0.descriptor) }.joined()
        if getenv("HUB_UPDATE_GOLDEN") != nil { Golden.write(page, to: path) }
        #expect(Golden.read(path) == page, "HUB_UPDATE_GOLDEN=1 writes docs/api.md")
    }

    @Test func `summaries, parameters and paths are written alike`() {
        for route in Self.plugins.flatMap({ $0.descriptor.routes }) {
            let place = "\(route.method.rawValue) \(route.pattern)"
            #expect(
                route.summary.first?.isLowercase == true && !route.summary.hasSuffix("."), "\(place)")
            // The history shows the summary of a change to people.
            #expect(route.method == .get || !route.summary.contains { ";:=".contains($0) }, "\(place)")
            #expect(Set(route.query.map(\.name)).count == route.query.count, "\(place)")
            #expect(route.query.allSatisfy { $0.help.first?.isUppercase == false }, "\(place)")
            #expect(route.body == nil || route.method == .post || route.method == .put, "\(place)")
        }
    }

    @Test func `the OpenAPI document has each route once, and a validator finds nothing wrong`() async throws {
        let document = APIDescription.document(of: Self.plugins.map { $0.descriptor })
        guard case .object(let paths)? = document["paths"] else { return #expect(Bool(false), "there are no paths") }
        var identifiers: [String] = []
        for path in paths {
            guard case .object(let operations) = path.value else { continue }
            identifiers += operations.compactMap { $0.value["operationId"]?.string }
        }
        let routes = Self.plugins.flatMap { $0.descriptor.routes }.filter { !$0.isForPages }
        // Undoing and searching are routes of hub itself.
        #expect(identifiers.count == routes.count + 2 && Set(identifiers).count == identifiers.count)
        #expect(document == APIDescription.document(of: Self.plugins.map { $0.descriptor }))
        let folder = try TemporaryFolder()
        let file = try folder.write(document.line, to: "openapi.json")
        let root = #filePath.replacing("/Tests/HubRuntimeTests/Web/APIPageTests.swift", with: "")
        let program = "\(root)/.build/peers/bin/openapi-spec-validator"
        let run = try await Subprocess(program, [file]).run(outputLimit: 1 << 16, timeout: .seconds(120))
        #expect(
            run.status.isSuccess,
            ".ci/setup test installs it\n\(String(decoding: run.output + run.errorOutput, as: UTF8.self))")
    }

    private static func section(_ plugin: PluginDescriptor) -> String {
        let rows = plugin.routes.map { route in
            let parameters =
                route.query.map { "`\($0.name)`: \($0.help)" } + [route.body.map { "body `\($0)`" }].compactMap(\.self)
            let names = route.fields.map { "`\($0.name)`" }.joined(separator: ", ")
            let fields = route.isForPages ? "for pages" + (names.isEmpty ? "" : ": \(names)") : names
            return
                "| `\(route.method.rawValue) \(route.pattern)` | \(route.summary)\(route.details.map { ", \($0)" } ?? "") | \(parameters.joined(separator: "; ")) | \(fields) |\n"
        }
        return "\n## \(plugin.title)\n\n| request | action | parameters | answer |\n|---|---|---|---|\n" + rows.joined()
    }

    private static let introduction = """
        # The HTTP API

        Programs of yours use these routes of `hub serve` with a token, and the pages of hub with the session of a browser
        ([security](security.md) explains both). This page is made of the declarations of the routes; a test keeps it so.

        ```
        $ hub api tokens add script --scope notes:write --scope contacts:read
        $ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:4820/api/contacts?q=ada
        ```

        - A scope is `read`, `write`, or that of one plugin, such as `notes:write`; `write` includes `read`. A `GET` needs `read`, all others need
          `write`. No token deletes permanently, shares notes, pairs recorders, or sees accounts, sessions and settings: these routes are for pages
          alone, and the last column says so.
        - `hub history --by api:script` lists what a program has changed. A program can undo its own changes by `POST /api/undo`.

        - An answer is JSON: an object, or an array of objects, with the members in the last column. They have the names of
          `--json` of the command that shows the same.
        - An error is `application/problem+json` (RFC 9457): `detail` says what failed and why, `hint` what to do next, `code` is for programs,
          `details` has more lines, and `problems` lists the fields that are wrong.
        - A request that changes something answers with the header `Hub-Operation`, which `POST /api/undo` takes back:
          `{"operation": "…"}`.
        - An item is read with its `ETag`; `If-None-Match` with it answers 304 while nothing has changed. A `PUT` or `DELETE` of an item, or of a
          part of it, names in `If-Match` that `ETag`, or the `revision` alone, or `*`: without it the answer is 428, and 412 if the item has
          another revision by then. A `POST` may name it. An item in the trash answers 404, but for its history.
        - Lists take `cursor` and `limit`, 1 to 500. `Link` (RFC 8288) has the cursor of the next part, which neither repeats an item nor leaves
          one out when the list has changed since; the last part has none.
        - `201` comes with the path of the new item in `Location`.
        - `hub api describe` prints the same as an OpenAPI 3.1 document, which `GET /api/openapi.json` has too.
        - `GET /api/live` is a stream of server-sent events with the topics that have changed ([events](events/README.md)).

        """
}
