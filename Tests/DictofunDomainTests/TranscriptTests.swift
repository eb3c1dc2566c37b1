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
                Segment(
                    "Please call the", 0..<600,
                    words: [Word("Please", 0..<0), Word("call", 0..<400), Word("the", 400..<600)]),
                Segment("old man:", 600..<600),
                Segment(
                    "Plumber, he is", 600..<2666,
                    words: [Word("Plumber,", 600..<1500), Word("he", 2000..<2333), Word("is", 2333..<2666)]),
            ])
        transcript.edit("nothing of it")
        #expect(transcript.segments == [Segment("nothing of it", 0..<3000)])
        #expect(Transcript(edited: "by hand").segments == [Segment("by hand", nil)])
        #expect(Transcript().segments == [])
    }

    @Test func `what was not touched keeps its words, and a changed word takes the place of the old one`() {
        let heard = MachineTranscript(segments: [
            Segment(
                "Call the plumber", 100..<1500,
                words: [
                    Word("Call", 100..<400, confidence: 0.9), Word("the", 400..<600), Word("plumber", 600..<1400),
                ], speaker: "Ann"),
            Segment("and then", 1600..<2000, words: [Word("and", 1600..<1800), Word("then", 1800..<2000)]),
            Segment("the boy", 2000..<3000, words: [Word("the", 2000..<2200), Word("boy", 2200..<2900)]),
        ])
        var transcript = Transcript(machine: heard, engine: "x")
        transcript.edit("Call the plumber\nand then\nthe tall boiler man")
        #expect(Array(transcript.segments.prefix(2)) == Array(heard.segments.prefix(2)))
        #expect(
            transcript.segments[2]
                == Segment(
                    "the tall boiler man", 2000..<3000,
                    words: [
                        Word("the", 2000..<2200), Word("tall", 2200..<2466), Word("boiler", 2466..<2733),
                        Word("man", 2733..<3000),
                    ]))
        transcript.edit("Call a plumber\nand then\nthe boy")
        #expect(
            transcript.segments[0].words == [
                Word("Call", 100..<400, confidence: 0.9), Word("a", 400..<600), Word("plumber", 600..<1400),
            ])
        #expect(transcript.segments[0].time == 100..<1500 && transcript.segments[0].speaker == "Ann")
        #expect(Array(transcript.segments.dropFirst()) == Array(heard.segments.dropFirst()))
        // A phrase that was removed, and one that was split.
        transcript.edit("Call the plumber\nthe\nboy")
        #expect(transcript.segments.map(\.time) == [100..<1500, 2000..<2200, 2200..<2900])
        #expect(transcript.segments.flatMap(\.words).map(\.text) == ["Call", "the", "plumber", "the", "boy"])
    }

    @Test func `any edit keeps all of its words in order, and untouched phrases as they are`() {
        var generator = SeededGenerator(seed: 77)
        for _ in 0..<300 {
            var (place, segments) = (0, [Segment]())
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let words = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                    place += 10
                    return Word("w\(Int.random(in: 0...9, using: &generator))", place..<place + 10)
                }
                segments.append(
                    Segment(
                        words.map(\.text).joined(separator: " "), Range(from: words[0].time.lowerBound, to: place + 10),
                        words: words))
            }
            var lines = segments.map(\.text)
            let changed = Int.random(in: 0..<lines.count, using: &generator)
            lines[changed] = (0..<3).map { _ in "w\(Int.random(in: 5...14, using: &generator))" }.joined(separator: " ")
            let edited = Transcript(machine: .init(segments: segments), edited: lines.joined(separator: "\n")).segments
            #expect(edited.map(\.text) == lines)
            for (index, segment) in edited.enumerated() {
                if index != changed { #expect(segment == segments[index]) }
                if !segment.words.isEmpty { #expect(segment.words.map(\.text).joined(separator: " ") == segment.text) }
                #expect(segment.time?.lowerBound ?? 0 >= 0)
            }
        }
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
