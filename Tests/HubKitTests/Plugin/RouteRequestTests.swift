import CivilDate
import HubKit
import Testing

/// What routes read of a request, and what a client is told that sent something else.
struct RouteRequestTests {
    private func request(
        _ body: String = "", query: [String: String] = [:], captures: [String: String] = [:], ifMatch: String? = nil
    ) -> RouteRequest {
        RouteRequest(
            captures: captures, query: query, ifMatch: ifMatch, body: Array(body.utf8), operation: Operation("test"))
    }

    @Test func `a request has an id, a revision, numbers and days`() throws {
        let full = request(query: ["limit": "7", "from": "2026-11-20"], captures: ["id": "7kt"], ifMatch: "3")
        #expect(try full.id == "7kt" && full.revision == 3)
        #expect(try full.number("limit", in: 1...10) == 7)
        #expect(try full.day("from") == CivilDate("2026-11-20"))
        #expect(try full.number("offset", in: 0...1) == nil && full.day("to") == nil)
        #expect(try request(query: ["limit": ""]).number("limit", in: 1...10) == nil)
    }

    @Test func `what is missing or out of range is told`() {
        func code(_ body: () throws(HubError) -> Void) -> String? {
            do throws(HubError) {
                try body()
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code { () throws(HubError) in _ = try request().id } == "id-missing")
        for text in [nil, "", "x", "3.5"] {
            #expect(code { () throws(HubError) in _ = try request(ifMatch: text).revision } == "revision-missing")
        }
        for text in ["0", "11", "x", "9999999999999999999999"] {
            let asked = request(query: ["limit": text])
            #expect(code { () throws(HubError) in _ = try asked.number("limit", in: 1...10) } == "field-invalid")
        }
        for text in ["2026-02-30", "today", "20.11.2026"] {
            #expect(code { () throws(HubError) in _ = try request(query: ["d": text]).day("d") } == "date-invalid")
        }
    }

    @Test(arguments: ["", "x", "[1]", "1", "{", String(repeating: #"{"a":"#, count: 20) + "1"])
    func `a body that is no object of moderate depth is refused`(body: String) {
        let error = #expect(throws: HubError.self) { try request(body).json() }
        #expect(error?.code == "json-invalid" && error?.hint?.contains("{") == true)
    }

    @Test func `a body is limited in size, and its members are read by type`() throws {
        #expect(throws: HubError.self) { try request(#"{"name": "12345678"}"#).json(limit: 10) }
        let json = try request(#"{"name": "  Sencha tea ", "grams": 5, "empty": " ", "big": 11, "text": "5"}"#).json()
        #expect(try json.text("name") == "Sencha tea" && json.number("grams", in: 0...10) == 5)
        for name in ["empty", "grams", "none"] {
            let error = #expect(throws: HubError.self) { try json.text(name) }
            #expect(error?.problems.map(\.field) == [name])
        }
        for name in ["big", "text", "none"] {
            let error = #expect(throws: HubError.self) { try json.number(name, in: 0...10) }
            #expect(error?.problems.map(\.field) == [name] && error?.message.contains("from 0 to 10") == true)
        }
    }
}
