import HubKit
import HubKitTesting
import HubRuntimeTesting
import Mintee
import Storage
import Testing

@testable import HubRuntime

/// The JSON of the page: the same use cases as the commands, with what is refused at its field.
struct RouteTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(MinteePlugin.self) }

    /// The body of an answer.
    private func call(
        _ method: Route.Method, _ pattern: String, _ body: String = "", _ captures: [String: String] = [:],
        query: [String: String] = [:], revision: String? = nil
    ) async throws -> JSONValue {
        let route = try #require(MinteePlugin.descriptor.routes.first { $0.method == method && $0.pattern == pattern })
        let host = Hub(
            plugins: [MinteePlugin.self], environment: hub.environment, clock: hub.clock,
            log: Log(label: "test") { _, _, _ in })
        let request = RouteRequest(
            captures: captures, query: query, ifMatch: revision, body: Array(body.utf8),
            operation: Operation("mintee page"))
        do {
            let answer = try await route.answer(host, request)
            await host.openedDatabase?.close()
            switch answer {
            case .output(let output), .page(let output, _), .created(let output, _):
                return (try? JSONReader.read(try await WebRoute.json(output))) ?? .null
            case .asset, .seeOther, .content, .stream, .events, .webSocket: return .null
            }
        } catch {
            await host.openedDatabase?.close()
            throw error
        }
    }

    private func refusal(_ ask: () async throws -> JSONValue) async throws -> HubError {
        try await #require(throws: HubError.self) { _ = try await ask() }
    }

    /// The problems of a form, as field and code.
    private func problems(_ ask: () async throws -> JSONValue) async throws -> [String] {
        try await refusal(ask).problems.map { "\($0.field) \($0.code ?? "")" }
    }

    private func texts(_ json: JSONValue?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

    private static let set = """
        {"pattern": {"Type": 2, "DaysOfWeek": [3, 6], "WeeksOfMonth": [1, 5], "DaysOfMonth": []},
        "min": 5, "minOperator": 2, "max": 30, "maxOperator": 2, "priority": 0}
        """

    private func form(_ name: String, start: String = "2026-11-01", end: String = "2027-11-01", more: String = "")
        -> String
    {
        """
        {"name": "\(name)", "taskType": 0, "startDate": "\(start)", "endDate": "\(end)", "openEnd": false,
        "tags": ["health"], "notes": "", "remindAt": 1110, "targetSets": [\(Self.set)]\(more)}
        """
    }

    @Test func `a form makes a task, and is filled with what it made`() async throws {
        let made = try await call(.post, "/api/mintee/tasks", form("Piano"))
        let id = try #require(made["id"]?.string)
        #expect(texts(made["sets"]) == ["1st,Last Tue,Fri: 5 <= x <= 30"])
        let shown = try await call(.get, "/api/mintee/tasks/{id}", "", ["id": id])
        let form = try #require(shown["form"])
        #expect(form["startDate"]?.string == "2026-11-01" && form["remindAt"]?.integer == 1110)
        let set = try #require(form["targetSets"]?.array?.first)
        #expect(set["pattern"]?["WeeksOfMonth"]?.array?.compactMap(\.integer) == [1, 5])
        #expect(set["words"]?.string == "First and last Tuesday and Friday of the month, 5 to 30")
        #expect(texts(shown["schedule"]) == ["First and last Tuesday and Friday of the month, 5 to 30"])
        let short = try await call(.get, "/api/mintee/tasks/{id}", "", ["id": String(id.prefix(5))])
        #expect(short["id"]?.string == id)
        let found = try await call(.get, "/api/mintee/tasks", query: ["q": "pia", "tag": "HEALTH"])
        #expect(found.array?.count == 1)
        #expect(try await call(.get, "/api/mintee/tasks", query: ["tag": "mind"]).array?.isEmpty == true)
        let tags = try await call(.get, "/api/mintee/tasks/tags", query: ["q": "ALT"])
        #expect(tags.array?.first?["tag"]?.string == "health")
    }

    @Test func `an empty form is a task of every day`() async throws {
        let form = try #require(try await call(.get, "/api/mintee/form")["form"])
        #expect(form["startDate"]?.string == "2026-11-20" && form["openEnd"]?.bool == true)
        #expect(form["targetSets"]?.array?.compactMap { $0["text"]?.string } == ["daily"])
    }

    @Test func `an edit tells beforehand which filled days it drops`() async throws {
        await hub.run("mintee new Run --from 2026-11-15")
        for day in ["2026-11-15", "2026-11-16", "2026-11-18"] { await hub.run("mintee set run 1 --date \(day)") }
        let task = try #require(try await call(.get, "/api/mintee/tasks").array?.first)
        let id = try #require(task["id"]?.string)
        let edit = """
            {"name": "Run", "taskType": 0, "startDate": "2026-11-17", "openEnd": true, "tags": [], "notes": "",
            "targetSets": [{"pattern": {"Type": 1, "DaysOfWeek": [1,2,3,4,5,6,7]}, "min": 1, "minOperator": 2, "max": 0,
            "maxOperator": 0}]
            """
        let plan = try await call(.post, "/api/mintee/tasks/{id}/plan", edit + "}", ["id": id])
        #expect(texts(plan["losses"]) == ["2026-11-15", "2026-11-16"] && plan["is_changed"]?.bool == true)
        let refused = try await refusal {
            try await call(.put, "/api/mintee/tasks/{id}", edit + "}", ["id": id], revision: "1")
        }
        #expect(refused.code == "days-would-be-lost")
        // The order of the days means nothing.
        let agreed = edit + #", "losing": ["2026-11-16", "2026-11-15"]}"#
        let stale = try await refusal {
            try await call(.put, "/api/mintee/tasks/{id}", agreed, ["id": id], revision: "99")
        }
        #expect(stale.code == "edit-conflict")
        let bare = try await refusal { try await call(.put, "/api/mintee/tasks/{id}", agreed, ["id": id]) }
        #expect(bare.code == "revision-missing")
        let revision = try #require(task["revision"]?.integer)
        _ = try await call(.put, "/api/mintee/tasks/{id}", agreed, ["id": id], revision: String(revision))
        let entries = try await call(.get, "/api/mintee/tasks/{id}/entries", "", ["id": id])
        #expect(entries.array?.compactMap { $0["date"]?.string } == ["2026-11-18"])
        let history = try await call(.get, "/api/mintee/tasks/{id}/history", "", ["id": id])
        #expect(history.array?.count == 5)
        _ = try await call(.delete, "/api/mintee/tasks/{id}", "", ["id": id])
        #expect(try await call(.get, "/api/mintee/tasks").array?.isEmpty == true)
    }

    @Test func `what a form says wrong stands at its field with the code of the rule`() async throws {
        await hub.run("mintee new Read")
        func problems(_ body: String) async throws -> [String] {
            try await self.problems { try await call(.post, "/api/mintee/tasks", body) }
        }
        #expect(try await problems(form(" ")) == ["name I-1"])
        #expect(try await problems(form("Read")) == ["name TASK-5"])
        #expect(try await problems(form("x", end: "2026-10-31")) == ["end TASK-6"])
        #expect(try await problems(form("x").replacing(#"["health"]"#, with: #"["a", "Á"]"#)) == ["tags I-3"])
        #expect(try await problems(form("x").replacing(Self.set, with: "")) == ["sets TASK-3"])
        #expect(try await problems(form("x").replacing(#""min": 5"#, with: #""min": 50"#)) == ["sets TTS-7"])
        #expect(try await problems(#"{"name": "", "taskType": 1, "dates": []}"#) == ["name I-1", "dates TASK-4"])
        #expect(try await problems(#"{"name": "x", "taskType": 7}"#).contains("kind TASK-1"))
        #expect(await hub.run("mintee list --plain=name").output == "Read\n")
    }

    @Test(arguments: ["", "[]", "1", "{", #"{"a": "\u0000"#, String(repeating: "[", count: 100)])
    func `a body that is no object is refused`(body: String) async throws {
        for (method, pattern) in [
            (Route.Method.post, "/api/mintee/tasks"), (.post, "/api/mintee/read/set"), (.post, "/api/mintee/analyses"),
            (.put, "/api/mintee/theme"), (.put, "/api/mintee/analyses/order"),
        ] {
            #expect(try await refusal { try await call(method, pattern, body) }.code == "json-invalid")
        }
    }

    @Test func `a form without the target over several days leaves it`() async throws {
        func with(_ period: String) -> String { String(form("Wine").dropLast()) + #", "period": "\#(period)"}"# }
        let made = try await call(.post, "/api/mintee/tasks", with("at most 12 a week"))
        let id = try #require(made["id"]?.string)
        func period(after body: String, _ revision: String) async throws -> String? {
            _ = try await call(.put, "/api/mintee/tasks/{id}", body, ["id": id], revision: revision)
            return try await call(.get, "/api/mintee/tasks/{id}", "", ["id": id])["form"]?["period"]?.string
        }
        let renamed = form("Wine").replacing("Wine", with: "Red wine")
        #expect(try await period(after: renamed, "1") == "at most 12 a week")
        #expect(try await period(after: with(""), "2") == "")
    }

    @Test func `a day is read and changed`() async throws {
        await hub.run(#"mintee new Water --on "daily: 6 <= x <= 10" --tag health"#)
        let day = try await call(.get, "/api/mintee/days/{date}", "", ["date": "today"])
        #expect(day["date"]?.string == "2026-11-20" && day["title"]?.string == "Friday, 20 November 2026")
        let task = try #require(day["tasks"]?.array?.first)
        #expect(task["open"]?.bool == true && task["status"]?.string == "unsatisfactory")
        let captures = ["id": try #require(task["id"]?.string), "date": "2026-11-20"]
        func enter(_ body: String) async throws -> JSONValue {
            try await call(.post, "/api/mintee/tasks/{id}/days/{date}", body, captures)
        }
        for (body, value, state) in [
            (#"{"do": "up"}"#, "1", "under"), (#"{"do": "up", "by": 3}"#, "4", "under"),
            (#"{"do": "down"}"#, "3", "under"),
            (#"{"do": "done"}"#, "6", "reached"), (#"{"do": "set", "value": "12.5"}"#, "12.5", "over"),
            (#"{"do": "skip", "text": "a cold"}"#, "12.5", "skipped"),
            (#"{"do": "set", "value": "8"}"#, "8", "reached"),
            (#"{"do": "note", "text": "warm"}"#, "8", "reached"), (#"{"do": "clear"}"#, "0", "under"),
        ] {
            let entered = try await enter(body)
            #expect(entered["value"] == .number(value) && entered["state"]?.string == state, "\(body)")
        }
        #expect(try await problems { try await enter(#"{"do": "set", "value": "a lot"}"#) } == ["value I-9"])
        // As the page sends it: the text as it was typed, with the decimal mark of the page.
        for (value, mark) in [("10,000", "."), ("10.000", "."), ("10.000", ","), ("7,5", ".")] {
            #expect(
                try await problems {
                    try await enter(#"{"do": "set", "value": "\#(value)", "decimal_mark": "\#(mark)"}"#)
                } == ["value I-9"])
        }
        #expect(
            try await enter(#"{"do": "set", "value": "7,5", "decimal_mark": ","}"#)["value"] == .number("7.5"))
        for body in [#"{"do": "fly"}"#, "{}"] {
            #expect(try await refusal { try await enter(body) }.code == "change-unknown")
        }
        for (body, field) in [
            (#"{"do": "up", "by": -2}"#, "by"), (#"{"do": "up", "by": 0}"#, "by"),
            (#"{"do": "up", "by": "2"}"#, "by"),
            (#"{"do": "skip", "text": 5}"#, "text"), (#"{"do": "set"}"#, "value"),
            (#"{"do": "set", "value": [1]}"#, "value"),
            (#"{"do": "set", "value": 1e309}"#, "value"),
        ] {
            #expect(try await problems { try await enter(body) } == ["\(field) field-invalid"], "\(body)")
        }
        let long = String(repeating: "x", count: 20_000)
        #expect(try await refusal { try await enter(#"{"do": "note", "text": "\#(long)"}"#) }.code == "text-too-long")
        #expect(try await enter(#"{"do": "set", "value": 3}"#)["value"] == .number("3"))
        _ = try await enter(#"{"do": "set", "value": "12.5"}"#)
        #expect(try await refusal { try await enter(#"{"do": "done"}"#) }.code == "over-target")
        #expect(try await enter(#"{"do": "up"}"#)["value"] == .number("13"))
        let wrong = try await refusal { try await call(.get, "/api/mintee/days/{date}", "", ["date": "2026-02-30"]) }
        #expect(wrong.code == "date-invalid")
    }

    @Test func `a month has a state and a value for each day of each task`() async throws {
        await hub.run(#"mintee new Water --on "daily: 6 <= x <= 10" --from 2026-11-05"#)
        await hub.run(#"mintee new Run --on "3 times a week" --from 2026-11-01"#)
        await hub.run("mintee new Taxes --dates 2026-12-01")
        await hub.run("mintee set Water 7 --date 2026-11-18")
        await hub.run("mintee set Water 12 --date 2026-11-19")
        await hub.run("mintee done Run --date 2026-11-17")
        let month = try await call(.get, "/api/mintee/months/{month}", "", ["month": "2026-11"])
        #expect(month["first"]?.string == "2026-11-01" && month["last"]?.string == "2026-11-30")
        let tasks = try #require(month["tasks"]?.array)
        #expect(tasks.compactMap { $0["name"]?.string } == ["Water", "Run"])
        let states = tasks.map { $0["states"]?.array?.compactMap(\.string) ?? [] }
        #expect(states.map(\.count) == [30, 30])
        #expect(Array(states[0][3...4]) == ["none", "under"] && Array(states[0][17...18]) == ["reached", "over"])
        #expect(tasks[0]["values"]?.array?[17] == .number("7"))
        // The days from the fifth to yesterday; today may still be reached.
        #expect(tasks[0]["reached"] == .number("1") && tasks[0]["counted"] == .number("15"))
        #expect(states[1][16] == "reached" && states[1][17] == "free")
        let now = try await call(.get, "/api/mintee/months/{month}", "", ["month": "today"])
        #expect(now["first"]?.string == "2026-11-01")
        let wrong = try await refusal { try await call(.get, "/api/mintee/months/{month}", "", ["month": "2026-13"]) }
        #expect(wrong.code == "date-invalid")
    }

    @Test func `a target set is read as the popup has it`() async throws {
        func read(_ days: String, _ lower: (Int, String), _ upper: (Int, String)) async throws -> JSONValue {
            let body = """
                {"pattern": {"Type": 1, "DaysOfWeek": [\(days)], "WeeksOfMonth": [], "DaysOfMonth": []},
                "lowerOperator": \(lower.0), "lower": "\(lower.1)", "upperOperator": \(upper.0), "upper": "\(upper.1)"}
                """
            return try await call(.post, "/api/mintee/read/set", body)
        }
        let set = try await read("2,4", (2, "3"), (1, "5"))
        #expect(set["set"]?["text"]?.string == "Mon,Wed: 3 <= x < 5")
        #expect(set["set"]?["goal"]?.string == "at least 3 and less than 5")
        #expect(set["set"]?["words"]?.string == "Monday and Wednesday, at least 3 and less than 5")
        #expect(try await problems { try await read("", (1, ""), (1, "")) } == ["days I-6", "lower I-7"])
        #expect(try await problems { try await read("2", (1, "5"), (1, "3")) } == ["upper TTS-7"])
        let bounds = #"{"lowerOperator": 2, "lower": "20", "upperOperator": 1, "upper": ""}"#
        #expect(try await call(.post, "/api/mintee/read/bounds", bounds)["set"]?["goal"]?.string == "at least 20")
        let unknown = #"{"lowerOperator": 9, "lower": "20", "upperOperator": 1, "upper": ""}"#
        #expect(
            try await refusal { try await call(.post, "/api/mintee/read/bounds", unknown) }.code == "operator-unknown")
    }

    @Test(arguments: [
        ("daily", "Every day"), ("Mon-Fri: x >= 20", "Monday to Friday, at least 20"),
        ("Sun: x <= 3", "Sunday, at most 3"),
        ("1,15,last", "Days 1 and 15 and the last day of the month"), ("7: x = 2", "Day 7 of the month, exactly 2"),
        ("Last,1st Fri: 2 < x < 5", "First and last Friday of the month, more than 2 and less than 5"),
    ])
    func `days and targets are said in words`(set: String, words: String) async throws {
        await hub.run("mintee new Walk --on '\(set)'")
        let tasks = try await call(.get, "/api/mintee/tasks")
        #expect(texts(tasks.array?.first?["schedule"]) == [words])
    }

    @Test func `analyses are made, changed, ordered, charted and removed`() async throws {
        await hub.run("mintee new Run --tag sport --from 2026-11-16")
        await hub.run("mintee set run 1 --date 2026-11-17")
        let body = """
            {"name": "Body", "analysisType": 0, "rangeType": 1, "dateRange": 7, "tags": ["SPORT"], "legend":
            {"categorizedEntries": [{"category": 1, "color": "09B300FF"}, {"category": 2, "color": "AD0C00FF"}],
            "completionEntries": []}}
            """
        let made = try await call(.post, "/api/mintee/analyses", body)
        let id = try #require(made["id"]?.string)
        #expect(texts(made["tags"]) == ["sport"] && made["order"]?.integer == -1)
        let ordered = try await call(.put, "/api/mintee/analyses/order", #"{"ids": ["\#(id)"]}"#)
        #expect(ordered.array?.first?["order"]?.integer == 0)
        let twice = #"{"ids": ["\#(id)", "\#(id)"]}"#
        #expect(try await problems { try await call(.put, "/api/mintee/analyses/order", twice) } == ["range ANL-5"])
        let chart = try await call(.get, "/api/mintee/analyses/{id}/chart", "", ["id": id])
        #expect(chart["reached"]?.integer == 1 && chart["under"]?.integer == 3 && chart["days"]?.array?.count == 7)
        #expect(
            chart["days"]?.array?.compactMap { $0["color"]?.string } == [
                "#AD0C00FF", "#09B300FF", "#AD0C00FF", "#AD0C00FF",
            ])
        #expect(chart["target"]?["words"]?.string == "at least 1")
        let line = try await call(
            .get, "/api/mintee/analyses/{id}/chart", "", ["id": id], query: ["type": "line", "days": "3"])
        #expect(line["type"]?.string == "line" && line["range"]?.string == "last 3 days")
        let backwards = try await refusal {
            try await call(
                .get, "/api/mintee/analyses/{id}/chart", "", ["id": id],
                query: ["from": "2026-11-02", "to": "2026-11-01"])
        }
        #expect(backwards.code == "anl-12" && backwards.message == "the range ends before it starts")
        let half = try await refusal {
            try await call(
                .get, "/api/mintee/analyses/{id}/chart", "", ["id": id], query: ["from": "2026-11-02"])
        }
        #expect(half.code == "anl-2" && half.message == "a range of fixed days requires both from and to")

        let shown = try await call(.get, "/api/mintee/analyses/{id}", "", ["id": id])
        #expect(shown["form"]?["dateRange"]?.integer == 7)
        let revision = try #require(shown["revision"]?.integer)
        let dated = body.replacing(
            #""rangeType": 1, "dateRange": 7"#,
            with: """
                "rangeType": 0, "dateRange": 0, "startDate": "2026-11-01", "endDate": "2026-11-20"
                """)
        let changed = try await call(
            .put, "/api/mintee/analyses/{id}", dated, ["id": id], revision: String(revision))
        #expect(changed["range"]?.string == "2026-11-01 to 2026-11-20")
        let stale = try await refusal {
            try await call(.put, "/api/mintee/analyses/{id}", body, ["id": id], revision: String(revision))
        }
        #expect(stale.code == "edit-conflict")
        let empty = #"{"name": "", "analysisType": 0, "rangeType": 1, "dateRange": 0, "tags": [], "legend": 1}"#
        #expect(
            Set(try await problems { try await call(.post, "/api/mintee/analyses", empty) })
                == ["name I-2", "tags I-2", "range ANL-4", "range ANL-11", "legend ANL-7"])
        let strange = body.replacing("SPORT", with: "nobody").replacing("Body", with: "Other")
        #expect(try await problems { try await call(.post, "/api/mintee/analyses", strange) } == ["tags I-2"])
        _ = try await call(.delete, "/api/mintee/analyses/{id}", "", ["id": id])
        #expect(try await call(.get, "/api/mintee/analyses").array?.isEmpty == true)
    }

    @Test func `a task is charted, and its values come page by page`() async throws {
        await hub.run("mintee new Run --from 2026-10-01")
        for day in 1...5 { await hub.run("mintee set run \(day) --date 2026-11-0\(day)") }
        let id = try #require(try await call(.get, "/api/mintee/tasks").array?.first?["id"]?.string)
        let first = try await call(.get, "/api/mintee/tasks/{id}/entries", "", ["id": id], query: ["limit": "2"])
        #expect(first.array?.compactMap { $0["date"]?.string } == ["2026-11-05", "2026-11-04"])
        let next = try await call(
            .get, "/api/mintee/tasks/{id}/entries", "", ["id": id], query: ["limit": "9", "before": "2026-11-04"])
        #expect(next.array?.compactMap { $0["value"] } == [.number("3"), .number("2"), .number("1")])
        let chart = try await call(.get, "/api/mintee/tasks/{id}/chart", "", ["id": id], query: ["days": "30"])
        #expect(chart["days"]?.array?.count == 30 && chart["reached"]?.integer == 5)
    }

    @Test func `the theme is read and chosen`() async throws {
        #expect(try await call(.get, "/api/mintee/theme")["theme"]?.string == "System Default")
        #expect(try await call(.put, "/api/mintee/theme", #"{"theme": "ocean"}"#)["theme"]?.string == "Ocean")
        #expect(await hub.run("mintee theme").output == "Ocean\n")
        #expect(try await call(.get, "/api/mintee/check").array?.isEmpty == true)
        #expect(
            try await problems { try await call(.put, "/api/mintee/theme", #"{"theme": "Mars"}"#) } == ["theme I-10"])
    }
}
