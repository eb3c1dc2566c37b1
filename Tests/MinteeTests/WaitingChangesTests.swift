import CivilDate
import HubKit
import HubRuntimeTesting
import Mintee
import MinteeDomain
import Sync
import Testing
import WebServer

/// What a browser kept while hub was away is done to what hub has by then. For each field that comes to what a sync makes of the
/// same changes, made on a device meanwhile.
struct WaitingChangesTests {
    /// A change as the page sends it, and the entry that it makes of the base.
    struct Change: Sendable {
        let body: String
        let entry: Entry
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let base: Change?
        let here: Change
        let waiting: Change
    }

    private static func value(_ number: Int, note: String? = nil) -> Change {
        Change(body: #"{"do":"set","value":"\#(number)"}"#, entry: Entry(completion: Double(number), note: note))
    }

    private static func note(_ text: String, on number: Int = 0) -> Change {
        Change(body: #"{"do":"note","text":"\#(text)"}"#, entry: Entry(completion: Double(number), note: text))
    }

    static let cases = [
        Case(testDescription: "a value and a note", base: nil, here: note("slow"), waiting: value(5)),
        Case(testDescription: "a note and a value", base: value(3), here: value(9), waiting: note("fast", on: 3)),
        Case(testDescription: "two values: the later one", base: value(3), here: value(9), waiting: value(7)),
        Case(
            testDescription: "two notes: the later one", base: value(3), here: note("a", on: 3),
            waiting: note("b", on: 3)),
        Case(
            testDescription: "a count, while nothing else changed it", base: value(3), here: note("a", on: 3),
            waiting: Change(body: #"{"do":"up","by":2}"#, entry: Entry(completion: 5))),
    ]

    private static let noon: Int64 = 1_795_176_000_000
    private static let day = CivilDate(daysSinceEpoch: 20_777)

    @Test(arguments: cases)
    func `a waiting change comes to what a sync makes of it`(example: Case) async throws {
        let hub = try TestHub(MinteePlugin.self)
        let made = try await hub.request(
            .post, "/api/mintee/tasks", #"{"name":"Water","taskType":1,"dates":["2026-11-20"]}"#,
            headers: ["Content-Type": "application/json"])
        let id = try #require(try JSONReader.read(Array(made.text.utf8))["id"]?.string)
        var last = JSONValue.null
        for change in [example.base, example.here, example.waiting].compactMap(\.self) {
            let response = try await hub.request(
                .post, "/api/mintee/tasks/\(id)/days/2026-11-20", change.body,
                headers: ["Content-Type": "application/json"])
            last = try JSONReader.read(Array(response.text.utf8))
        }
        let merged = try #require(try Self.merged(example))
        #expect(last["value"] == .number("\(Int(merged.completion))"), "\(last)")
        #expect(last["note"]?.string == merged.note)
    }

    /// What a sync makes of the change here and the later one on a device.
    private static func merged(_ example: Case) throws -> Entry? {
        func todo(_ entry: Entry?, _ moment: Int64) -> DayTodo {
            DayTodo(
                taskID: "2gd", date: day, name: "Water", tags: [], target: .atLeast(20), entry: entry, changedAt: moment
            )
        }
        func merge(_ ours: SyncDay, _ text: [UInt8]) throws -> DayMerge {
            let theirs = try #require(try IncomingTodo.read(text))
            return DayMerge(ours, theirs, at: RemoteEntry(href: "/c/a.ics", etag: "\"2\"")) {
                (try? $0.applied(to: text)) == text
            }
        }
        let base = todo(example.base?.entry, noon - 7_200_000)
        let link = try merge(SyncDay(todo: base), base.text).link
        let here = SyncDay(
            todo: todo(example.here.entry, noon - 3_600_000), enteredAt: noon - 3_600_000, link: link)
        return try merge(here, todo(example.waiting.entry, noon).text).entry
    }
}
