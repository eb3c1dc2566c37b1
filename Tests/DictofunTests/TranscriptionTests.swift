import Commands
import DictofunDomain
import HubKit
import NetworkTestSupport
import Storage
import TestSupport
import Testing

@testable import Dictofun

struct TranscriptionTests {
    private let whisper = """
        while [ $# -gt 0 ]; do case "$1" in -of) out=$2;; -l) language=$2;; -m) model=$2;; esac; shift; done
        printf '{"result":{"language":"%s"},"transcription":[{"offsets":{"from":0,"to":900},"text":" Call the plumber",\
        "tokens":[{"text":" Call","offsets":{"from":0,"to":300},"p":0.9},{"text":" the","offsets":{"from":300,"to":500},"p":0.8},\
        {"text":" plumber","offsets":{"from":500,"to":900},"p":0.7}]}]}' "$language" > "$out.json"
        """

    private func fixture(_ model: String = "model.bin") throws -> DictofunFixture {
        let folder = try TemporaryFolder()
        try folder.write("", to: "model.bin")
        var config = Config()
        config[DictofunKeys.engineModel] = folder.path + "/" + model
        config[DictofunKeys.engineLanguage] = "en"
        return try DictofunFixture(config, folder: folder)
    }

    private func transcribed(_ fixture: DictofunFixture, engine: String? = nil, again: Bool = false) async throws
        -> (record: StoredRecord, outcome: TranscriptionOutcome)
    {
        if try await fixture.records().isEmpty { try await fixture.importFile(try fixture.sound("talk.wav")) }
        let id = try #require(try await fixture.records().first?.id)
        _ = try await fixture.dictofun.requestTranscription(
            of: [id], engine: engine, again: again, operation: Operation("transcribe"))
        let outcome = try await fixture.dictofun.transcribe([id])
        return (try await fixture.dictofun.records.get(id), outcome)
    }

    @Test func `whisper-cli is used when it and its model are there, and its times are kept`() async throws {
        let fixture = try fixture()
        try fixture.program("whisper-cli", whisper)
        let (record, outcome) = try await transcribed(fixture)
        #expect(outcome.done.count == 1 && outcome.failed.isEmpty)
        let transcript = record.record.transcript
        #expect(transcript.text == "Call the plumber")
        #expect(transcript.engine == "whisper model.bin")
        #expect(transcript.machine?.language == "en")
        #expect(transcript.machine?.words.map(\.time) == [0..<300, 300..<500, 500..<900])
        #expect(fixture.dictofun.text(of: record, as: .srt) == "1\n00:00:00,000 --> 00:00:00,900\nCall the plumber\n")
        #expect(fileNames(in: fixture.folder.path + "/cache/dictofun") == [])
        #expect(try await fixture.dictofun.searchRecords(["plumb"], limit: 5).found.map(\.id) == [record.id])
        // A record that has a text is transcribed again only when that is asked for.
        let none = try await fixture.dictofun.requestTranscription(of: [record.id], operation: Operation("transcribe"))
        #expect(none.isEmpty)
    }

    @Test func `records that no engine works on do not count as transcribed`() async throws {
        let fixture = try DictofunFixture(Config { $0[DictofunKeys.transcribes] = false })
        try await fixture.importFile(try fixture.sound("talk.wav"))
        let outcome = try await fixture.dictofun.transcribe(try await fixture.records().map(\.id))
        #expect(outcome.done.isEmpty && outcome.failed.isEmpty)
    }

    @Test func `a transcription is told once, with its text`() async throws {
        let fixture = try fixture()
        try fixture.program("whisper-cli", whisper)
        let (record, _) = try await transcribed(fixture)
        let events = try await fixture.database.store(for: "core").read { tx in
            try tx.recentEvents(matching: [TopicPattern("app.dictofun/*")], since: nil, limit: 10)
        }
        #expect(events.count == 1)
        let fields = try #require(events.first).event.fields()
        #expect(fields["text"]?.string == "Call the plumber")
        #expect(fields["is_whole"]?.bool == true && fields["is_rough"]?.bool == false)
        #expect(events.first?.event.subject == record.id)
    }

    @Test func `an event has the beginning of a long text, and other plugins read the whole`() async throws {
        let fixture = try fixture()
        let text = (1...2000).map { "sentence \($0)" }.joined(separator: " ")
        try fixture.folder.write(text, to: "text")
        try fixture.program("pocketsphinx_continuous", "cat '\(fixture.folder.path)/text'")
        let (record, _) = try await transcribed(fixture, engine: "pocketsphinx")
        let events = try await fixture.database.store(for: "core").read { tx in
            try tx.recentEvents(matching: [TopicPattern("app.dictofun/*")], since: nil, limit: 10)
        }
        let fields = try #require(events.first).event.fields()
        #expect(text.hasPrefix(fields["text"]?.string ?? "-") && fields["is_whole"]?.bool == false)
        #expect(try await fixture.dictofun.content(of: record.id)?.text == text)
        try await fixture.dictofun.records.delete([record.id], operation: Operation("rm"))
        #expect(try await fixture.dictofun.content(of: record.id) == nil)
    }

    @Test func `another engine makes the text again, and the user's version stays`() async throws {
        let fixture = try fixture()
        try fixture.program("whisper-cli", whisper)
        try fixture.program(
            "pocketsphinx_continuous",
            "echo call the lumber; echo 'call 0.0 0.4 0.9'; echo 'the 0.4 0.5 0.9'; echo 'lumber 0.5 0.9 0.4'")
        let (first, _) = try await transcribed(fixture)
        try await fixture.dictofun.editTranscript(of: first.id, "Call the plumber today", operation: Operation("edit"))
        let (record, _) = try await transcribed(fixture, engine: "pocketsphinx", again: true)
        #expect(record.isRough)
        #expect(record.record.transcript.text == "Call the plumber today")
        #expect(record.record.transcript.machine?.text == "call the lumber")
        let reverted = try await fixture.dictofun.editTranscript(of: first.id, nil, operation: Operation("edit"))
        #expect(reverted.record.transcript.text == "call the lumber")
    }

    @Test func `a configured command gets file, language and model, and its output is the text`() async throws {
        let folder = try TemporaryFolder()
        var config = Config()
        config[DictofunKeys.engineCommand] = "'\(folder.path)/my engine' {file} {language} {model}"
        config[DictofunKeys.engineModel] = "tiny"
        let fixture = try DictofunFixture(config, folder: folder)
        try folder.write(
            "#!/bin/sh\nhead -c 4 \"$1\"\necho \" $2 $3\"\n\necho done\n", to: "my engine", mode: 0o700)
        let (record, _) = try await transcribed(fixture)
        #expect(record.record.transcript.text == "RIFF auto tiny done")
        #expect(record.record.transcript.engine == "command tiny")
    }

    @Test func `a failing engine is told with its own words, and can be tried again`() async throws {
        let fixture = try fixture()
        try fixture.program("whisper-cli", "echo 'error: no memory' >&2; exit 3")
        let (record, outcome) = try await transcribed(fixture)
        #expect(outcome.failed.first?.reason.contains("error: no memory") == true)
        #expect(record.record.transcript.machine == nil)
        #expect(try await fixture.dictofun.status().failed.count == 1)
        try fixture.program("whisper-cli", whisper)
        #expect(try await transcribed(fixture).outcome.done.count == 1)
        #expect(try await fixture.dictofun.status().failed.isEmpty)
    }

    @Test func `without an engine the reason says what to install`() async throws {
        let fixture = try DictofunFixture()
        let item = try await fixture.importFile(try fixture.sound("talk.wav"))
        let error = await #expect(throws: HubError.self) {
            try await fixture.dictofun.requestTranscription(of: [item.id], operation: Operation("transcribe"))
        }
        #expect(error?.code == "no-engine")
        #expect(error?.details.contains { $0.contains("whisper-cli") } == true)
        #expect(fixture.dictofun.listEngines().allSatisfy { !$0.isReady && !$0.detail.isEmpty })
    }

    @Test func `a command that cannot be used is refused with the reason`() throws {
        for (line, reason) in [
            ("engine", "{file}"), ("engine {file} {colour}", "{colour}"), ("engine '{file}", "quote"),
        ] {
            var config = Config()
            config[DictofunKeys.engineCommand] = line
            let engines = try DictofunFixture(config).dictofun.listEngines()
            #expect(engines.first { $0.name == "command" }?.detail.contains(reason) == true)
        }
    }

    @Test func `a new record waits for its engine, and one that is removed is not transcribed`() async throws {
        let fixture = try fixture()
        try fixture.program("whisper-cli", whisper)
        let item = try await fixture.importFile(try fixture.sound("talk.wav"))
        #expect(try await fixture.dictofun.status().waiting == 1)
        try await fixture.dictofun.records.delete([item.id], operation: Operation("rm"))
        _ = try await fixture.dictofun.transcribe([item.id])
        #expect(try await fixture.dictofun.status().waiting == 0)
        #expect(try await fixture.dictofun.records.get(item.id).record.transcript.machine == nil)
    }

    @Test func `a form for a service has its fields and the sound unchanged`() {
        let form = TranscriptionForm(sound: [0, 13, 10, 255], model: "base", language: "de", boundary: "b")
        #expect(form.contentType == "multipart/form-data; boundary=b")
        let text = String(decoding: form.body, as: UTF8.self)
        #expect(text.hasPrefix("--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nbase\r\n--b\r\n"))
        #expect(text.contains("name=\"language\"\r\n\r\nde\r\n"))
        #expect(Array(form.body.suffix(13)) == [0, 13, 10, 255] + Array("\r\n--b--\r\n".utf8))
    }

    @Test func `stored texts are read back with all times`() {
        let transcript = MachineTranscript(
            segments: [
                .init(
                    "Call \"home\"\n", 0..<900,
                    words: [.init("Call", 0..<400, confidence: 0.5), .init("home", 400..<900)]),
                .init("Later", nil),
            ], language: "en")
        #expect(TranscriptJSON.transcript(TranscriptJSON.text(transcript)) == transcript)
        #expect(TranscriptJSON.transcript("{}") == nil)
        #expect(TranscriptJSON.transcript("no json") == nil)
    }
}
