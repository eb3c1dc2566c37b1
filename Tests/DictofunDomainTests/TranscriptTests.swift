import DictofunDomain
import TestSupport
import Testing

struct TranscriptTests {
    private static let phrases = Transcript(
        machine: MachineTranscript(segments: [
            Segment("Call the plumber.", 0..<1500), Segment("The boiler leaks.", 1500..<3000),
            Segment("Buy milk.", 3000..<4200),
        ]), engine: "x")

    @Test(arguments: [
        ("Call the plumber. The boiler leaks. Buy milk.", ["Call the plumber.", "The boiler leaks.", "Buy milk."]),
        (
            "Call Ann the plumber. The boiler leaks. Buy oat milk.",
            ["Call Ann the plumber.", "The boiler leaks.", "Buy oat milk."]
        ),
        ("Ring her. Our heater leaks. Buy milk.", ["Ring her. Our", "heater leaks.", "Buy milk."]),
        ("Buy milk.", ["Buy milk."]), ("Something else.\nIn two lines.", ["Something else.", "In two lines."]),
    ])
    func `a text in one line is broken into the engine's phrases`(text: String, lines: [String]) {
        var transcript = Self.phrases
        #expect(transcript.brokenIntoPhrases(text).split(separator: "\n").map(String.init) == lines)
        transcript.edit(transcript.brokenIntoPhrases(text))
        #expect(transcript.segments.map(\.text) == lines)
        if lines.count == 3 {
            #expect(transcript.segments.last?.time == 3000..<4200)
        }
        #expect((transcript.edited == nil) == (text == transcript.machine?.text))
    }

    @Test func `the engine's text is no edit, in one line or a line for each phrase`() {
        let heard = MachineTranscript(segments: [.init("Call the plumber.", 0..<900), .init("Buy milk.", 900..<2000)])
        var transcript = Transcript(machine: heard, engine: "whisper")
        for text in ["Call the plumber. Buy milk.", "Call the plumber.\nBuy milk."] {
            transcript.edit(text)
            #expect(transcript.edited == nil)
        }
        transcript.edit("Call the\nplumber. Buy milk.")
        #expect(transcript.edited == "Call the\nplumber. Buy milk.")
    }

    typealias Segment = MachineTranscript.Segment
    typealias Word = MachineTranscript.Word

    private static let machine = MachineTranscript(
        segments: [
            Segment(
                "Call the plumber.", 0..<1500,
                words: [Word("Call", 0..<400), Word("the", 400..<600), Word("plumber.", 600..<1500)]),
            Segment("He is late", 2000..<3000),
        ], language: "en")

    @Test func `an edit never loses the engine's version`() {
        var transcript = Transcript(machine: TranscriptTests.machine, engine: "whisper-cli base")
        #expect(transcript.text == "Call the plumber. He is late")
        transcript.edit("Call the plumber! He is never late.")
        #expect(transcript.text == "Call the plumber! He is never late.")
        #expect(transcript.machine == TranscriptTests.machine)
        transcript.revert()
        #expect(transcript.text == "Call the plumber. He is late")
        transcript.edit("Call the plumber. He is late")
        #expect(transcript.edited == nil)
    }

    @Test func `another transcription leaves the edit on top`() {
        var transcript = Transcript(machine: TranscriptTests.machine, engine: "pocketsphinx", edited: "Call Anna.")
        let other = MachineTranscript(segments: [Segment("Call Hannah.", nil)])
        transcript.transcribe(other, engine: "whisper-cli base")
        #expect(transcript.text == "Call Anna.")
        #expect(transcript.engine == "whisper-cli base")
        transcript.revert()
        #expect(transcript.text == "Call Hannah.")
        transcript.edit("Call Anna.")
        transcript.transcribe(MachineTranscript(segments: [Segment("Call Anna.", nil)]), engine: "x")
        #expect(transcript.edited == nil)
    }

    @Test func `lines of an edited text keep the places of their words`() {
        var transcript = Transcript(machine: TranscriptTests.machine, engine: "e")
        transcript.edit("Please call the\n\nold man:\nPlumber, he is")
        #expect(
            transcript.segments == [
                Segment("Please call the", 0..<600), Segment("old man:", 600..<600),
                Segment("Plumber, he is", 600..<2666),
            ])
        transcript.edit("nothing of it")
        #expect(transcript.segments == [Segment("nothing of it", 0..<3000)])
        #expect(Transcript(edited: "by hand").segments == [Segment("by hand", nil)])
        #expect(Transcript().segments == [])
    }

    @Test func `placing an edited text is linear`() {
        Scaling.expectLinear("alignment", size: 2000) { count in
            let words = (0..<count).map { Word("w\($0)", $0 * 10..<$0 * 10 + 10) }
            let text = (0..<count).map { "w\($0 * 7 % count)" + ($0 % 9 == 0 ? "\n" : "") }.joined(separator: " ")
            return Transcript(machine: .init(segments: [Segment("x", 0..<10, words: words)]), edited: text)
        } _: {
            #expect(!$0.segments.isEmpty)
        }
    }

    @Test(arguments: [
        ("call the plumber", "Call the plumber!", 0), ("call a plumber", "call the plumber", 1), ("", "one two", 2),
        ("one two", "", 2), ("the the cat", "the cat", 1), ("I don’t", "i don't", 0), ("b c d", "a b c d e", 2),
        ("Zażółć", "zażółć", 0),
    ])
    func `word errors are the fewest changes`(heard: String, spoken: String, errors: Int) {
        #expect(WordErrorRate(heard: heard, spoken: spoken).errorCount == errors)
    }

    @Test func `the rate is per word spoken, and long texts are cut`() {
        #expect(WordErrorRate(heard: "a x c", spoken: "a b c d").rate == 0.5)
        #expect(WordErrorRate(heard: "a b c", spoken: "x").rate == 3)
        #expect(WordErrorRate(heard: "a", spoken: "").rate == 0)
        let long = String(repeating: "a ", count: 5000)
        #expect(WordErrorRate(heard: long, spoken: long) == WordErrorRate(heard: long + "b", spoken: long + "c"))
        let measured = EngineMeasurement(
            errors: WordErrorRate(heard: "a x c", spoken: "a b c d"), duration: .seconds(10), elapsed: .seconds(4))
        #expect(measured.speed == 2.5)
        #expect(measured.accuracy == 0.5)
    }
}
