import Commands
import HubRuntime
import Testing

@Suite struct CompleterTests {
    private struct NoHost: PluginHost {
        func plugin<Plugin: Sendable>(_ type: Plugin.Type) throws -> Plugin { throw CancellationError() }
    }

    private func offer(_ words: String...) async -> Completer.Offer {
        await Completer(root: SampleHub.root, host: NoHost()).offer(words)
    }

    private func words(_ words: String...) async -> [String] {
        guard case .words(let found, _) = await Completer(root: SampleHub.root, host: NoHost()).offer(words) else {
            return ["no words"]
        }
        return found.map(\.word)
    }

    @Test func `commands are offered by their beginning, hidden ones never`() async {
        #expect(await words("con") == ["contacts", "config"])
        #expect(await words("contacts", "s") == ["search", "show"])
        #expect(await words("contacts", "f") == [])
        #expect(await words("--json", "contacts", "s") == ["search", "show"])
        #expect(await words("contacts", "contact", "s") == ["search", "show"])
    }

    @Test func `options are offered with those of every command`() async {
        #expect(await words("contacts", "list", "--t") == ["--tag"])
        #expect(await words("contacts", "list", "--no-p") == ["--no-progress", "--no-pager"])
        #expect(await words("contacts", "list", "--", "--t") == [])
    }

    @Test func `values are offered where one is due`() async {
        #expect(await words("contacts", "import", "x.vcf", "--as", "vc") == ["vcard3", "vcard4"])
        #expect(await words("contacts", "import", "--as=vc") == ["--as=vcard3", "--as=vcard4"])
        #expect(await words("contacts", "list", "--color", "") == ["auto", "always", "never"])
        #expect(await offer("contacts", "import", "") == .files(["vcf"]))
        #expect(await offer("contacts", "list", "--data", "") == .directories)
        #expect(await words("contacts", "list", "--limit", "") == [])
    }

    @Test func `names come from the running program`() async {
        #expect(await words("contacts", "show", "Ann") == ["Anna Lukasz"])
        #expect(await words("contacts", "show", "Anna Lukasz", "Łu") == ["Łukasz Nowak"])
    }

    @Test func `fields are offered one after the other`() async {
        #expect(
            await offer("contacts", "list", "--json=name,t")
                == .words([CompletionWord("--json=name,tags", "the tags")], continues: true))
        #expect(await words("contacts", "list", "--plain=id,i") == [])
    }

    @Test func `words are filtered by what was typed unless that is how they were found`() async {
        let values = Argument<String>(
            "NAME",
            completion: .dynamic { _, _ in
                [CompletionWord("alpha"), CompletionWord("beta"), CompletionWord(id: "7kt", name: "Łukasz Nowak")]
            })
        let more = Arguments<String>(
            "VALUE", .zeroOrMore,
            completion: .following { _, before, _ in
                before.map { CompletionWord($0 + "-value") }
            })
        let root = Command(
            group: "hub", summary: "",
            subcommands: [
                Command("set", summary: "", parameters: [values, more]) { (_: any PluginHost, _: Input) in .nothing }
            ])
        let completer = Completer(
            root: root, host: NoHost(), otherCommands: [CompletionWord("s1", "an alias"), CompletionWord("foo")])
        #expect(
            await completer.offer(["set", "be"])
                == .words([CompletionWord("beta"), CompletionWord(id: "7kt", name: "Łukasz Nowak")], continues: false))
        #expect(await completer.offer(["set", "x", ""]) == .words([CompletionWord("x-value")], continues: false))
        #expect(
            await completer.offer(["s"])
                == .words([CompletionWord("set"), CompletionWord("s1", "an alias")], continues: false))
        #expect(await completer.offer(["set", "s"]) != .words([CompletionWord("s1", "an alias")], continues: false))
    }
}
