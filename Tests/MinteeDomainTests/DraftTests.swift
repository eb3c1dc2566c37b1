import CivilDate
import MinteeDomain
import Testing

/// The rules that a task or an analysis violates by itself.
struct DraftTests {
    private func codes(_ draft: TaskDraft) -> [String] { draft.violations.map(\.rule.description) }

    @Test func `a task that can be kept`() throws {
        let span = Schedule.recurring(from: try day("2026-01-01"), to: try day("2026-01-01"), [TargetSet(.daily)])
        #expect(codes(TaskDraft(name: "Read", tags: ["a", "b"], schedule: span)) == [])
    }

    @Test func `each rule of a form`() throws {
        let (start, end) = (try day("2026-01-02"), try day("2026-01-01"))
        let empty = Schedule.recurring(from: end, to: start, [])
        #expect(codes(TaskDraft(name: " ", schedule: .dates([start]))) == ["I-1"])
        #expect(codes(TaskDraft(name: "x", schedule: empty)) == ["TASK-3"])
        #expect(codes(TaskDraft(name: "x", schedule: .dates([]))) == ["TASK-4"])
        let turned = Schedule.recurring(from: start, to: end, [TargetSet(.daily)])
        #expect(codes(TaskDraft(name: "x", schedule: turned)) == ["TASK-6"])
        #expect(codes(TaskDraft(name: "x", tags: ["Tag", "tag"], schedule: .dates([start]))) == ["I-3"])
        #expect(codes(TaskDraft(name: "x", tags: [""], schedule: .dates([start]))) == ["I-3"])
        let bad = TargetSet(DayPattern(kind: .daysOfWeek), Target(unchecked: .none, .none, 0, 0))
        let broken = Schedule.recurring(from: start, to: start, [bad])
        #expect(codes(TaskDraft(name: "x", schedule: broken)) == ["DP-2", "TTS-5", "I-6"])
    }

    @Test func `each rule of a pattern`() {
        #expect(DayPattern(kind: .daysOfWeek, weekdays: [.monday], weeks: [.first]).violations == ["DP-2"])
        #expect(DayPattern(kind: .weekdaysOfMonth, weekdays: [.monday]).violations == ["DP-3"])
        #expect(DayPattern(kind: .daysOfMonth, weekdays: [.monday], monthDays: [.last]).violations == ["DP-4"])
    }

    @Test func `each rule of an analysis`() throws {
        let (start, end) = (try day("2026-01-02"), try day("2026-01-01"))
        func codes(_ analysis: Analysis) -> [String] { analysis.violations.map(\.rule.description) }
        #expect(codes(Analysis(name: "Health", tags: ["health"])) == [])
        #expect(codes(Analysis(name: "", tags: ["health"])) == ["I-2"])
        #expect(codes(Analysis(name: "Health")) == ["I-2"])
        #expect(codes(Analysis(name: "H", range: .last(days: 0), tags: ["t"])) == ["ANL-4", "ANL-11"])
        #expect(codes(Analysis(name: "H", range: .last(days: 40000), tags: ["t"])) == ["ANL-4", "ANL-11"])
        #expect(codes(Analysis(name: "H", range: .dates(from: start, to: end), tags: ["t"])) == ["ANL-8", "ANL-12"])
        #expect(TaskSummary(range: .dates(from: start, to: end)).violations == ["TSA-8"])
        #expect(TaskSummary(range: .last(days: -1)).violations == ["TSA-4"])
    }
}
