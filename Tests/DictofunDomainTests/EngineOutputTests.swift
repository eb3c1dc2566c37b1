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

    @Test func `the words of a service may be inside its phrases, in pieces, and without a place`() throws {
        // The server of whisper.cpp gives tokens, faster-whisper words with a blank, WhisperX words without one and the speakers.
        let tokens =
            #"{"segments":[{"start":0,"end":1,"text":" Call the plumbers.","words":[{"word":" Call","start":0,"end":0.2,"probability":0.5},{"word":" the","start":0.2,"end":0.4},{"word":" plumb","start":0.4,"end":0.7},{"word":"ers","start":0.7,"end":0.9},{"word":".","start":0.9,"end":1}]}],"text":"Call the plumbers."}"#
        let heard = try OpenAITranscript.read(Array(tokens.utf8))
        #expect(
            heard.segments == [
                Segment(
                    "Call the plumbers.", 0..<1000,
                    words: [
                        Word("Call", 0..<200, confidence: 0.5), Word("the", 200..<400), Word("plumbers.", 400..<1000),
                    ])
            ])
        let aligned =
            #"{"segments":[{"start":0,"end":1,"text":" At 9 now","speaker":"SPEAKER_01","words":[{"word":"At","start":0,"end":0.2,"score":0.9},{"word":"9"},{"word":"now","start":0.5,"end":1}]},{"start":1,"end":2,"text":"Yes","words":[{"word":"Yes","start":1,"end":2,"speaker":"Ann"}]}],"language":"en"}"#
        let parts = try OpenAITranscript.read(Array(aligned.utf8))
        #expect(parts.segments.map(\.speaker) == ["Speaker 2", "Ann"] && parts.text == "At 9 now Yes")
        #expect(parts.segments[0].words == [Word("At", 0..<200, confidence: 0.9), Word("now", 500..<1000)])
    }

    @Test func `speakers are named in texts and subtitles, and stored`() {
        let heard = MachineTranscript(segments: [
            Segment("Is it you?", 0..<900, speaker: "Speaker 1"), Segment("It *is*.", 900..<1500, speaker: "Ann & Bob"),
            Segment("Yes.", 1500..<1900, speaker: "Ann & Bob"),
        ])
        #expect(TranscriptWriter.plain(heard.segments) == "Speaker 1: Is it you?\n\nAnn & Bob: It *is*. Yes.\n")
        #expect(
            TranscriptWriter.markdown(heard.segments, title: "t").hasSuffix(
                "**0:00** **Ann & Bob:** It \\*is\\*. Yes.\n"))
        #expect(TranscriptWriter.subtitles(heard.segments).hasPrefix("1\n00:00:00,000 --> 00:00:00,900\nSpeaker 1: Is"))
        #expect(
            TranscriptWriter.webVTT(heard.segments).hasPrefix(
                "WEBVTT\n\n00:00:00.000 --> 00:00:00.900\n<v Speaker 1>Is it you?\n\n00:00:00.900 --> 00:00:01.500\n<v Ann &amp; Bob>It"
            ))
        #expect(TranscriptJSON.transcript(TranscriptJSON.text(heard)) == heard)
    }

    @Test func `pocketsphinx of version 5 writes JSON`() throws {
        let line =
            #"{"b":1.500,"d":0.750,"p":1.000,"t":"call the","w":[{"b":1.500,"d":0.100,"p":1.0,"t":"<s>"},{"b":1.600,"d":0.250,"p":0.5,"t":"call"},{"b":1.850,"d":0.400,"p":0.25,"t":"the(2)"}]}"#
        let heard = try PocketsphinxTranscript.read(
            json: Array((line + "\n" + #"{"b":3,"d":1,"p":1,"t":"","w":[]}"#).utf8))
        #expect(
            heard.segments == [
                Segment(
                    "call the", 1500..<2250,
                    words: [Word("call", 1600..<1850, confidence: 0.5), Word("the", 1850..<2250, confidence: 0.25)])
            ])
    }

    @Test func `percentages that engines write are their progress`() {
        var progress = EngineProgress()
        #expect(progress.read(Array("whisper_print_progress_callback: progress =  35%\n".utf8)) == 0.35)
        #expect(progress.read(Array(" 12%|".utf8)) == nil)
        #expect(progress.read(Array("x | 5/9\r 14.5%|xx | 6/9\r".utf8)) == 0.145)
        for text in ["250%\n", "%\n", "one % two\n", "error 3\n"] {
            #expect(progress.read(Array(text.utf8)) == nil, "\(text)")
        }
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
