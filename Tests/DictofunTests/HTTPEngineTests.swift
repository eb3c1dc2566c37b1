import Commands
import DictofunDomain
import HubKit
import NetworkTestSupport
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
        #expect(request.text.contains("name=\"model\"\r\n\r\nbase\r\n") && request.text.contains("RIFF"))
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
