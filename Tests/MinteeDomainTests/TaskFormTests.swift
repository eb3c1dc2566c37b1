import CivilDate
import MinteeDomain
import Testing

/// A task as a form in an editor.
struct TaskFormTests {
    private func task(
        tags: [String] = [], notes: String = "", schedule: Schedule? = nil, isOpen: Bool = false
    ) throws -> TaskDraft {
        TaskDraft(
            name: "Run", tags: tags,
            schedule: try schedule
                ?? .recurring(from: day("2026-11-01"), to: day("2027-11-03"), [try TargetSet("Mon,Wed: x >= 5")]),
            hasOpenEnd: isOpen, remindAt: 510, notes: notes)
    }

    @Test(
        arguments: [
            ("tea / coffee", ["a,b", "health"]), ("one\ntwo\n\n  three  ", ["outside"]), ("", []),
            ("# no comment: x", [" a"]),
            ("ends with a line\n", ["x"]),
        ] as [(String, [String])])
    func `what is not touched stays to the byte`(notes: String, tags: [String]) throws {
        let today = try day("2026-11-20")
        for isOpen in [false, true] {
            let before = try task(tags: tags, notes: notes, isOpen: isOpen)
            let text = TaskForm(before).text
            #expect(try TaskForm.read(text, editing: before, today: today) == before)
            var after = before
            after.name = "Form 2"
            let edited = text.replacing("name:    Run", with: "name:    Form 2")
            #expect(try TaskForm.read(edited, editing: before, today: today) == after)
        }
        let dated = try task(tags: tags, notes: notes, schedule: .dates([day("2026-12-01"), day("2027-01-01")]))
        #expect(try TaskForm.read(TaskForm(dated).text, editing: dated, today: today) == dated)
    }

    @Test func `lines of notes and tags are read as they are written`() throws {
        let before = try task(tags: ["a,b", "health"], notes: "one")
        let text = TaskForm(before).text.replacing("notes:   one", with: "notes:   one / two\nnotes:   three")
            .replacing("tag:     a,b", with: "tag:     a,b,c")
        let after = try TaskForm.read(text, editing: before, today: day("2026-11-20"))
        #expect(after.notes == "one / two\nthree" && after.tags == ["health", "a,b,c"])
    }

    @Test func `several weekdays with ordinals of their own are several sets`() throws {
        let before = try task()
        let text = TaskForm(before).text.replacing("Mon,Wed: x >= 5", with: "1st Mon and 3rd Wed: x >= 5")
        let after = try TaskForm.read(text, editing: before, today: day("2026-11-20"))
        #expect(after.schedule.sets.map(\.description) == ["1st Mon: x >= 5", "3rd Wed: x >= 5"])
    }

    @Test func `a doubtful pattern comes with what to write instead`() throws {
        let before = try task()
        let text = TaskForm(before).text.replacing("Mon,Wed: x >= 5", with: "every second Monday")
        let problem = #expect(throws: TaskForm.Problem.self) {
            try TaskForm.read(text, editing: before, today: try day("2026-11-20"))
        }
        #expect(problem?.hint?.contains("2nd Mon") == true && problem?.line == 2)
    }
}
