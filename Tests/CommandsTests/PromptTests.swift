import Commands
import HubKitTesting
import Testing

@Suite struct PromptTests {
    private func input(_ console: ScriptedConsole, _ line: String = "contacts rm 7kt") throws -> Input {
        try SampleCommands.parse(line).input(console: console)
    }

    @Test(arguments: [(["y"], true), (["YES"], true), (["n"], false), ([""], false), (["hm", "y"], true), ([], false)])
    func `a question takes yes or no, and no is the default`(answers: [String], agreed: Bool) async throws {
        let asked = try input(ScriptedConsole(answers: answers))
        #expect(try await asked.confirm("Remove?", consequence: "1 contact would go") == agreed)
    }

    @Test func `with --yes nobody is asked`() async throws {
        let person = ScriptedConsole()
        #expect(try await input(person, "contacts rm 7kt --yes").confirm("Remove?", consequence: "x"))
        #expect(person.transcript.isEmpty)
    }

    @Test func `without a person the error names the option`() async throws {
        let asked = try input(ScriptedConsole())
        await #expect {
            try await asked.confirm("Remove?", consequence: "1 contact would go to the trash")
        } throws: { error in
            guard let error = error as? HubError else { return false }
            return error.kind.exitCode == 64 && error.hint?.contains("--yes") == true
        }
    }

    @Test func `a letter is chosen, Return takes the first`() async throws {
        let person = ScriptedConsole(answers: ["x", "S", ""])
        let asked = try input(person)
        #expect(try await asked.choose("Edit again?", letters: ["e", "s", "d"], option: "--take") == "s")
        #expect(try await asked.choose("Edit again?", letters: ["e", "s", "d"], option: "--take") == "e")
        #expect(person.transcript.first == "Edit again? [E/s/d] x")
    }

    private static let candidates = [
        Candidate(id: "7kt", name: "Łukasz Nowak"), Candidate(id: "3mx9", name: "Anna Lukasz"),
    ]

    @Test func `several matches are a numbered choice`() async throws {
        let person = ScriptedConsole(answers: ["3", "2"])
        let picked = try await input(person).pick(Self.candidates, named: "lukasz", noun: "contacts")
        #expect(picked.id == "3mx9")
        #expect(
            person.transcript == [
                "\"lukasz\" matches 2 contacts:", "  1  7kt   Łukasz Nowak", "  2  3mx9  Anna Lukasz",
                "Which one? [1-2] 3", "Type a number from 1 to 2, or Return for none.", "Which one? [1-2] 2",
            ])
    }

    @Test func `without a person the candidates are told`() async throws {
        let asked = try input(ScriptedConsole())
        await #expect {
            try await asked.pick(Self.candidates, named: "lukasz", noun: "contacts")
        } throws: { error in
            guard let error = error as? HubError else { return false }
            return error.kind == .usage && error.code == "ambiguous"
                && error.details == ["7kt   Łukasz Nowak", "3mx9  Anna Lukasz"]
        }
    }

    @Test func `a dash stands for the selectors on stdin`() async throws {
        let asked = try input(ScriptedConsole(input: Array("7kt\n\n3mx9\r\n".utf8)))
        #expect(try await asked.selectors(["ada", "-"]) == ["ada", "7kt", "3mx9"])
        #expect(try await asked.selectors(["ada"]) == ["ada"])
        let ended = try input(ScriptedConsole(input: Array("7kt\u{0}3mx9\u{0}".utf8)))
        #expect(try await ended.selectors(["-"]) == ["7kt", "3mx9"])
    }
}
