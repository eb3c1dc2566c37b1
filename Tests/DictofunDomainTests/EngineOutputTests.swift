import DictofunDomain
import TestSupport
import Testing

struct EngineOutputTests {
    typealias Segment = MachineTranscript.Segment
    typealias Word = MachineTranscript.Word

    @Test func `whisper's phrases and tokens become words with places`() throws {
        let json = #"""
            {"systeminfo": "AVX = 1", "model": {"type": "base"}, "params": {"language": "en"}, "result": {"language": "en"},
             "transcription": [
              {"timestamps": {"from": "00:00:00,000", "to": "00:00:02,100"}, "offsets": {"from": 0, "to": 2100},
               "text": " Call the plumbers.", "tokens": [
                {"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}, "id": 50364, "p": 0.98},
                {"text": " Call", "offsets": {"from": 0, "to": 400}, "id": 1, "p": 0.5},
                {"text": " the", "offsets": {"from": 400, "to": 600}, "id": 2, "p": 0.75},
                {"text": " plumb", "offsets": {"from": 600, "to": 1000}, "id": 3, "p": 1},
                {"text": "ers", "offsets": {"from": 1000, "to": 1400}, "id": 4, "p": 0.25},
                {"text": ".", "offsets": {"from": 1400, "to": 1500}, "id": 5, "p": 0.5},
                {"text": "[_TT_105]", "offsets": {"from": 2100, "to": 2100}, "id": 6, "p": 0.1}]},
              {"offsets": {"from": 2100, "to": 3000}, "text": " [BLANK_AUDIO]"},
              {"offsets": {"from": 3000, "to": 3500}, "text": " Monday"}]}
            """#
        let transcript = try WhisperTranscript.read(Array(json.utf8))
        #expect(transcript.language == "en")
        #expect(
            transcript.segments == [
                Segment(
                    "Call the plumbers.", 0..<2100,
                    words: [
                        Word("Call", 0..<400, confidence: 0.5), Word("the", 400..<600, confidence: 0.75),
                        Word("plumbers.", 600..<1500, confidence: 0.25),
                    ]), Segment("Monday", 3000..<3500),
            ])
    }

    @Test func `a character that is cut between tokens spoils nothing else`() throws {
        var bytes = Array(#"{"transcription":[{"offsets":{"from":0,"to":9},"text":" Łódź","tokens":[{"text":" "#.utf8)
        bytes += [0xC5] + Array(#"","offsets":{"from":0,"to":3},"p":1}]}]}"#.utf8)
        #expect(try WhisperTranscript.read(bytes).text == "Łódź")
    }

    @Test func `silence is an empty transcript`() throws {
        #expect(try WhisperTranscript.read(Array(#"{"transcription":[]}"#.utf8)).segments.isEmpty)
        #expect(try OpenAITranscript.read(Array(#"{"text":" "}"#.utf8)).segments.isEmpty)
        #expect(try PocketsphinxTranscript.read([]).segments.isEmpty)
        #expect(try PocketsphinxTranscript.read(Array("\n<s> 0.0 0.1 1.0\n</s> 0.1 0.2 1.0\n".utf8)).segments.isEmpty)
    }

    @Test func `an HTTP service may tell the text only, or phrases and words`() throws {
        let plain = try OpenAITranscript.read(Array(#"{"text":"Call the  plumber.\n"}"#.utf8))
        #expect(plain.segments == [Segment("Call the plumber.", nil)])
        let json = #"""
            {"task":"transcribe","language":"english","duration":3.5,"text":"Call him. Now.",
             "segments":[{"id":0,"start":0.0,"end":1.5,"text":" Call him."},{"id":1,"start":1.5,"end":3.5,"text":" Now."}],
             "words":[{"word":"Call","start":0.1,"end":0.5},{"word":"him","start":0.5,"end":1.4},
                      {"word":"Now","start":1.6,"end":2.25},{"word":"bad","start":"x","end":3}]}
            """#
        let verbose = try OpenAITranscript.read(Array(json.utf8))
        #expect(verbose.language == "english")
        #expect(
            verbose.segments == [
                Segment("Call him.", 0..<1500, words: [Word("Call", 100..<500), Word("him", 500..<1400)]),
                Segment("Now.", 1500..<3500, words: [Word("Now", 1600..<2250)]),
            ])
    }

    @Test func `an HTTP service's error is told in its own words`() {
        #expect(throws: TranscriptionError.refused("Incorrect API key provided")) {
            try OpenAITranscript.read(Array(#"{"error":{"message":"Incorrect API key provided","code":null}}"#.utf8))
        }
        #expect(throws: TranscriptionError.refused("no model")) {
            try OpenAITranscript.read(Array(#"{"error":"no model"}"#.utf8))
        }
    }

    @Test func `pocketsphinx's lines become phrases and words`() throws {
        let output = """
            call the plumber
            <s> 0.000 0.070 0.999600
            call 0.080 0.300 0.012917
            the(2) 0.310 0.410 0.451449
            <sil> 0.420 0.540 0.982454
            plumber 0.550 1.330 0.186767
            </s> 2.010 2.540 1.000000
            one 2 3 4
            now
            now 3.000 3.500 1.000000

            """
        let transcript = try PocketsphinxTranscript.read(Array(output.utf8))
        #expect(transcript.segments.map(\.text) == ["call the plumber", "now"])
        #expect(transcript.segments.map(\.time) == [80..<3000, 3000..<3500])
        #expect(transcript.words.map(\.text) == ["call", "the", "plumber", "one", "now"])
    }

    @Test func `other output is an error, and never harms`() throws {
        for text in ["", "{", "[]", "{}", "null", #"{"transcription":{}}"#] {
            #expect(throws: TranscriptionError.self) { try WhisperTranscript.read(Array(text.utf8)) }
            #expect(throws: TranscriptionError.self) { try OpenAITranscript.read(Array(text.utf8)) }
        }
        let seed = Array(
            #"{"text":"a","transcription":[{"offsets":{"from":0,"to":9},"text":" a","tokens":[{"text":" a","offsets":{"from":-1,"to":99999999999999999999},"p":"x"}]}],"segments":[{"start":1e300,"end":-1,"text":"a"}],"words":[{"word":"a","start":1,"end":0}]}"#
                .utf8)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? WhisperTranscript.read(bytes)
            _ = try? OpenAITranscript.read(bytes)
            _ = try? PocketsphinxTranscript.read(bytes)
        }
    }

    @Test(arguments: [("0.5", 0.5), ("1e300", 1), ("-1e300", 0), ("-0.1", 0), ("2", 1)])
    func `a confidence is between 0 and 1, and can be stored`(text: String, confidence: Double) throws {
        let token = #"{"text":" a","offsets":{"from":0,"to":9},"p":\#(text)}"#
        let whisper = try WhisperTranscript.read(
            Array(#"{"transcription":[{"offsets":{"from":0,"to":9},"text":" a","tokens":[\#(token)]}]}"#.utf8))
        let sphinx = try PocketsphinxTranscript.read(Array("a\na 0.0 0.1 \(text)\n".utf8))
        for transcript in [whisper, sphinx] {
            #expect(transcript.segments.flatMap(\.words).map(\.confidence) == [confidence])
            #expect(TranscriptJSON.transcript(TranscriptJSON.text(transcript)) != nil)
        }
    }

    @Test(arguments: ["nan", "inf", "-inf"])
    func `a confidence that is no number does no harm`(text: String) throws {
        let transcript = try PocketsphinxTranscript.read(Array("a\na 0.0 0.1 \(text)\n".utf8))
        #expect(TranscriptJSON.text(transcript).contains("\"a\""))
    }

    @Test func `output is read in linear time`() throws {
        try Scaling.expectLinear("whisper", size: 300) {
            repeated(
                #"{"offsets":{"from":1,"to":2},"text":" a b","tokens":[{"text":" a","offsets":{"from":1,"to":2},"p":1}]},"#,
                $0,
                after: #"{"transcription":["#, before: "{}]}")
        } _: {
            _ = try WhisperTranscript.read($0)
        }
        try Scaling.expectLinear("pocketsphinx", size: 1000) {
            repeated("a 1.0 2.0 0.5\n", $0, after: "a\n")
        } _: {
            _ = try PocketsphinxTranscript.read($0)
        }
        try Scaling.expectLinear("words of an HTTP service", size: 500) {
            repeated(#"{"word":"a","start":1,"end":2},"#, $0, after: #"{"text":"a","words":["#, before: "{}]}")
        } _: {
            _ = try OpenAITranscript.read($0)
        }
    }

    @Test func `placeholders are filled in without a shell`() throws {
        let template = try CommandTemplate("my-engine --lang={language} -o '{output}.txt' {file} {1..2} {}")
        #expect(
            template.arguments([.file: "/tmp/a b; rm {model}.wav", .language: "pl"])
                == ["my-engine", "--lang=pl", "-o", ".txt", "/tmp/a b; rm {model}.wav", "{1..2}", "{}"])
    }

    @Test(arguments: [
        ("", CommandTemplate.Problem.empty), ("engine 'x", .unclosedQuote),
        ("engine {files}", .unknownPlaceholder("files")),
        ("engine {language}", .missingFile),
    ])
    func `a command that cannot work is refused`(line: String, problem: CommandTemplate.Problem) {
        #expect(throws: problem) { try CommandTemplate(line) }
    }
}
