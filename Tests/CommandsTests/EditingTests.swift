import Commands
import HubKitTesting
import Synchronization
import Testing

/// The way of a text through the editor: valid, invalid and tried again, saved in part, dropped.
struct EditingTests {
    /// Edits `start`; the editor returns `texts` one after the other. Text is valid if it is a number; its rest is the
    /// digits.
    private func edit(
        _ start: String, _ texts: [String], answers: [String] = [], savesRest: Bool = false
    ) async throws -> (value: Int?, shown: [String]) {
        let left = Mutex(texts)
        let console = ScriptedConsole(answers: answers) { _ in left.withLock { $0.isEmpty ? "" : $0.removeFirst() } }
        let input = Input(values: ParameterValues(), operation: "tea edit", commandLine: "tea edit", console: console)
        let value = try await input.edited(start, suffix: ".tea", option: "hub tea set") { text in
            reading(text)
        } readingRest: { text in
            savesRest ? reading(text.filter(\.isNumber)) : .invalid([EditorProblem(["still invalid"])])
        }
        return (value, console.transcript)
    }

    private func reading(_ text: String) -> EditorReading<Int> {
        Int(text).map { .valid($0) } ?? .invalid([EditorProblem(["1 │ \(text)"], hint: "type a number")])
    }

    @Test func `a valid text is returned at once`() async throws {
        let edited = try await edit("1", ["2"])
        #expect(edited.value == 2 && edited.shown == [])
    }

    @Test(arguments: ["1", "", " \n"]) func `an unchanged or empty text drops the edit`(text: String) async throws {
        #expect(try await edit("1", [text]).value == nil)
    }

    @Test func `an invalid text is shown and edited again`() async throws {
        let edited = try await edit("1", ["x", "3"], answers: ["e"])
        #expect(edited.value == 3)
        #expect(
            edited.shown == [
                "error: not saved yet: 1 line needs a look", "  1 │ x", "  hint: type a number",
                "Edit again, save without this line, or drop all changes? [E/s/d] e",
            ])
    }

    @Test func `an invalid text is saved without its invalid lines, or dropped`() async throws {
        #expect(try await edit("1", ["x42"], answers: ["s"], savesRest: true).value == 42)
        #expect(try await edit("1", ["x42"], answers: ["d"], savesRest: true).value == nil)
        // What is left is not valid either.
        let again = try await edit("1", ["x42", "7"], answers: ["s"])
        #expect(again.value == 7 && again.shown.contains("  still invalid"))
    }

    @Test func `without a terminal the error names the option`() async throws {
        let input = Input(
            values: ParameterValues(), operation: "tea edit", commandLine: "tea edit", console: ScriptedConsole())
        let error = await #expect(throws: HubError.self) {
            try await input.edited("1", suffix: ".tea", option: "hub tea set") { reading($0) }
        }
        #expect(error?.hint == "without an editor: hub tea set")
    }
}
