import Commands
import DictofunDomain
import HubKit
import NetworkTestSupport
import SoundFile
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dictofun

/// The engine that asks a service, against a server that follows a script.
struct HTTPEngineTests {
    /// A plugin whose engine is at `port`, with a record that waits for it.
    private func fixture(_ port: UInt16, isOffline: Bool = false) async throws -> (DictofunFixture, String) {
        var config = Config()
        config[DictofunKeys.engineURL] = "http://127.0.0.1:\(port)/v1/audio/transcriptions"
        config[DictofunKeys.engineModel] = "base"
        config[DictofunKeys.engineKey] = .text("secret")
        let fixture = try DictofunFixture(config, isOffline: isOffline)
        return (fixture, try await fixture.importFile(try fixture.sound("talk.wav")).id)
    }

    @Test func `the sound is sent with the key, and the times of the answer are kept`() async throws {
        let seen = Mutex<ScriptedRequest?>(nil)
        let server = try ScriptedServer { connection in
            guard let request = connection.request() else { return }
            seen.withLock { $0 = request }
            connection.answer(
                200, ["Content-Type: application/json"],
                #"{"text":"call home","language":"english","segments":[{"text":"call home","start":0,"end":0.9}]}"#)
        }
        defer { server.stop() }
        let (fixture, id) = try await fixture(server.port)
        #expect(try await fixture.dictofun.transcribe([id]).done.count == 1)
        let record = try await fixture.dictofun.records.get(id).record
        #expect(record.transcript.text == "call home" && record.transcript.engine == "http base")
        #expect(record.transcript.segments.first?.time == 0..<900)
        guard let request = seen.withLock(\.self) else { throw HubError(.internal, code: "unseen", "no request came") }
        #expect(request.method == "POST" && request.target == "/v1/audio/transcriptions")
        #expect(request.headers.first { $0.key.lowercased() == "authorization" }?.value == "Bearer secret")
        #expect(request.text.contains("name=\"model\"\r\n\r\nbase\r\n") && request.text.contains("fLaC"))
    }

    @Test(arguments: [(429, Job.State.waiting), (503, .waiting), (400, .failed), (401, .failed)])
    func `what may pass is tried again, and what cannot is told`(status: Int, state: Job.State) async throws {
        let server = try ScriptedServer { connection in
            guard connection.request() != nil else { return }
            connection.answer(status, ["Content-Type: application/json"], #"{"error":{"message":"not \u001b[31mnow"}}"#)
        }
        defer { server.stop() }
        let (fixture, id) = try await fixture(server.port)
        _ = try await fixture.dictofun.transcribe([id])
        let job = try #require(try await fixture.dictofun.transcriptions.jobs().first)
        #expect(job.state == state)
        #expect(job.error?.contains("status \(status)") == true && job.error?.contains("\u{1B}") == false)
    }

    @Test func `a service that knows no FLAC gets WAV, and a model without times is asked for its text`() async throws {
        let bodies = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            guard let request = connection.request() else { return }
            bodies.withLock { $0.append(request.text) }
            let json = ["Content-Type: application/json"]
            if request.text.contains("fLaC") {
                connection.answer(200, json, #"{"error":"failed to read WAV file"}"#)
            } else if request.text.contains("verbose_json") {
                connection.answer(
                    400, json, #"{"error":{"message":"response_format 'verbose_json' is not compatible"}}"#)
            } else {
                connection.answer(200, json, #"{"text":"call home"}"#)
            }
        }
        defer { server.stop() }
        let (fixture, id) = try await fixture(server.port)
        #expect(try await fixture.dictofun.transcribe([id]).done.count == 1)
        #expect(try await fixture.dictofun.records.get(id).record.transcript.text == "call home")
        #expect(bodies.withLock { $0.map { $0.contains("RIFF") } } == [false, true, true])
        #expect(fileNames(in: fixture.folder.path + "/cache/dictofun") == [])
    }

    @Test func `what is too large for a service is sent in pieces, whose times are joined`() async throws {
        let requests = Mutex(0)
        let server = try ScriptedServer { connection in
            guard connection.request() != nil else { return }
            let json = ["Content-Type: application/json"]
            let number = requests.withLock { count -> Int in
                count += 1
                return count
            }
            if number == 1 {
                connection.answer(413, json, #"{"error":{"message":"too large"}}"#)
            } else {
                let text = "part \(number)"
                connection.answer(
                    200, json,
                    #"{"text":"\#(text)","segments":[{"start":1,"end":2,"text":"\#(text)","speaker":"SPEAKER_00"}]}"#)
            }
        }
        defer { server.stop() }
        var config = Config()
        config[DictofunKeys.engineURL] = "http://127.0.0.1:\(server.port)/"
        let fixture = try DictofunFixture(config)
        // Loud but for the second from 24 s on.
        let path = fixture.folder.path + "/long.wav"
        let writer = try SoundFileWriter(path: path, format: .wav, sampleRate: 8000)
        for second in 0..<40 {
            let samples = (0..<8000).map { place -> Int16 in second == 24 ? 0 : Int16(place % 97 * 90) }
            try writer.write(samples)
        }
        try writer.finish()
        let id = try await fixture.importFile(path).id
        let shares = Mutex<[Double]>([])
        let outcome = try await fixture.dictofun.transcribe([id]) { _, progress in
            if let share = progress.fraction { shares.withLock { $0.append(share) } }
        }
        #expect(outcome.done.count == 1, "\(outcome)")
        let segments = try await fixture.dictofun.records.get(id).record.transcript.segments
        #expect(
            segments.map(\.text) == ["part 2", "part 3"]
                && segments.map(\.speaker) == ["Speaker 1, part 1", "Speaker 1, part 2"])
        #expect(segments.first?.time == 1000..<2000)
        let second = try #require(segments.last?.time?.lowerBound)
        #expect((25_000...26_000).contains(second), "\(second)")
        #expect(shares.withLock { $0.last } == 1 && shares.withLock(\.count) == 2)
        #expect(fileNames(in: fixture.folder.path + "/cache/dictofun") == [])
    }

    @Test(arguments: [
        (404, #"{"detail":"Not Found"}"#, "status 404: Not Found", "/v1/audio/transcriptions"),
        (422, #"{"detail":[{"loc":["body","model"],"msg":"field required"}]}"#, "model: field required", ""),
    ])
    func `the reasons of FastAPI are told`(status: Int, answer: String, reason: String, advice: String) async throws {
        let server = try ScriptedServer { connection in
            guard connection.request() != nil else { return }
            connection.answer(status, ["Content-Type: application/json"], answer)
        }
        defer { server.stop() }
        let (fixture, id) = try await fixture(server.port)
        let failed = try await fixture.dictofun.transcribe([id]).failed.first?.reason ?? ""
        #expect(failed.contains(reason) && (advice.isEmpty || failed.contains(advice)), "\(failed)")
    }

    @Test func `a service that is away is tried again, and offline nothing is sent`() async throws {
        let nobody = try RefusingPort()
        let (fixture, id) = try await fixture(nobody.port)
        _ = try await fixture.dictofun.transcribe([id])
        withExtendedLifetime(nobody) {}
        #expect(try await fixture.dictofun.status().waiting == 1)
        let other = try ScriptedServer { _ in Issue.record("it was called") }
        defer { other.stop() }
        let (offline, record) = try await self.fixture(other.port, isOffline: true)
        _ = try await offline.dictofun.transcribe([record])
        #expect(try await offline.dictofun.transcriptions.jobs().first?.error?.contains("--offline") == true)
    }
}
