import Commands
import HubRuntime
import Testing

struct MessageRendererTests {
    private func lines(_ note: Diagnostic, isColored: Bool = false, isUTF8: Bool = true) -> [String] {
        MessageRenderer(isJSON: false, palette: Palette(isColored: isColored), glyphs: Glyphs(isUTF8: isUTF8)).lines(
            note)
    }

    @Test func `only a warning has the mark of one`() {
        #expect(lines(.warning("rad: 2 cards were left out")) == ["! rad: 2 cards were left out"])
        #expect(lines(Diagnostic("rad: the calendar Mintee was created")) == ["rad: the calendar Mintee was created"])
        #expect(lines(Diagnostic("2 of 3 contacts", level: .aside)) == ["2 of 3 contacts"])
    }

    @Test func `the mark alone has the colour of a warning`() {
        #expect(lines(.warning("late"), isColored: true) == ["\u{1B}[33m!\u{1B}[0m late"])
        #expect(lines(Diagnostic("early"), isColored: true) == ["early"])
    }

    @Test func `a hint and suggestions come below, in the glyphs of the locale`() {
        let note = Diagnostic(
            "empty → new", level: .warning, hint: "hub new …",
            suggestions: [Example("hub a", "one"), Example("hub bc", "two")])
        #expect(
            lines(note, isUTF8: false) == [
                "! empty -> new", "  hint: hub new ...", "  hub a    one", "  hub bc   two",
            ])
    }

    @Test func `text of others cannot bring a mark or a line of its own`() {
        #expect(lines(Diagnostic("rad\n! all is lost\u{1B}[2J")).count == 1)
        #expect(lines(Diagnostic("rad\u{1B}[2J")).allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func `an error says its code and causes only when asked`() {
        struct Cause: Error, CustomStringConvertible { let description = "first\nsecond" }
        let error = HubError(.conflict, code: "x", "it failed", details: ["why"], hint: "do", cause: Cause())
        let brief = MessageRenderer(isJSON: false, palette: Palette(isColored: false), glyphs: Glyphs(isUTF8: true))
        #expect(brief.lines(error) == ["error: it failed", "  why", "  hint: do"])
        let verbose = MessageRenderer(
            isJSON: false, palette: Palette(isColored: false), glyphs: Glyphs(isUTF8: true), isVerbose: true,
            context: ["data folder /d"])
        let code = error.kind.exitCode
        #expect(
            verbose.lines(error)
                == [
                    "error: it failed", "  why", "  code x, exit \(code)", "  caused by: first", "second",
                    "  data folder /d",
                    "  hint: do",
                ].flatMap { $0 == "second" ? ["  second"] : [$0] })
    }
}
