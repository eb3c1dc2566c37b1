import DictofunDomain
import SoundFile
import System
import TestSupport
import Testing

@testable import Dictofun

/// Sounds are read in a process of their own: here a program that is not hub.
struct SoundProcessTests {
    private static func sounds(
        _ script: String, in folder: TemporaryFolder, patience: Duration
    ) throws -> SoundFiles {
        let own = try folder.write("#!/bin/sh\n" + script + "\n", to: "own", mode: 0o700)
        return SoundFiles(
            programs: Programs(path: folder.path + "/none", own: own), temporary: folder.path + "/cache",
            patience: patience)
    }

    private static func bytes(_ path: String) async throws -> [UInt8] {
        let reader = try await ChunkedFileReader(path: path)
        var bytes: [UInt8] = []
        while let piece = try await reader.next() { bytes += piece }
        return bytes
    }

    @Test(arguments: [
        ("while :; do :; done", "it timed out"), ("kill -SEGV $$", "the decoder crashed"),
        ("echo 'error: no work' >&2; exit 70", "error: no work"), ("exit 0", "the decoder crashed"),
    ])
    func `a decoder that does not end, crashes or fails is a file that cannot be read`(
        script: String, reason: String
    ) async throws {
        let folder = try TemporaryFolder()
        // The machine may be busy: only what never ends is not waited for.
        let patience = Duration.milliseconds(reason == "it timed out" ? 50 : 600_000)
        let sounds = try Self.sounds(script, in: folder, patience: patience)
        let error = await #expect(throws: HubError.self) {
            try await sounds.summary(of: folder.path + "/talk.wav", .file("wav"))
        }
        #expect(error?.code == "sound-unreadable" && error?.details == [reason])
        #expect(fileNames(in: folder.path + "/cache") == [])
    }

    @Test func `the work and its result pass through words and a file`() async throws {
        let fixture = try DictofunFixture()
        let path = try fixture.sound("talk.wav", milliseconds: 700)
        let target = SoundWork.Target(
            path: fixture.folder.path + "/half.flac", type: .flac, sampleRate: 8000, start: .milliseconds(200), speed: 2
        )
        let work = SoundWork(path: path, format: .file("wav"), target: target)
        #expect(SoundWork(words: work.words)?.words == work.words)
        #expect(SoundWork(words: ["one"]) == nil && SoundWork(words: Array(work.words.dropLast())) == nil)
        let result = fixture.folder.path + "/result"
        let words = work.words
        try await BackgroundThread.run { try SoundWork(words: words)?.run(result: result) }
        let bytes = try await Self.bytes(result)
        let summary = try #require(try SoundWork.summary(result: bytes))
        #expect(summary.sampleRate == 16_000 && summary.length == .milliseconds(700))
        let half = try await fixture.dictofun.sounds.summary(of: target.path, .file("flac"))
        #expect(half.sampleRate == 8000 && abs(half.length.milliseconds - 250) < 50)
        let text = SoundWork(path: try fixture.folder.write("words", to: "text.wav"), format: .file("wav"))
        try await BackgroundThread.run { try text.run(result: result + "2") }
        let failure = try await Self.bytes(result + "2")
        #expect(throws: SoundFileError.self) { try SoundWork.summary(result: failure) }
    }
}
