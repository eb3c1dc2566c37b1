package import Commands
package import DictofunDomain
import Glibc
import HTTPClient
package import HubKit
import SoundFile

/// A service on the network, or on this computer, with the interface of OpenAI's transcriptions.
package struct HTTPEngine: TranscriptionEngine {
    /// The word by which it is chosen.
    package let name = "http"
    /// Whether its texts are too rough to be taken over by others.
    package let isRough = false
    /// Whether it sends the sound over the network.
    package let isRemote = true
    private let url: String
    private let model: String?
    private let key: SecretSource?
    private let secrets: any Secrets

    /// The largest piece that is read; it is smaller by its length.
    private static let soundLimit = 64 << 20

    /// Creates the engine of the service at `url`, such as `http://127.0.0.1:8080/v1/audio/transcriptions`.
    package init(url: String, model: String?, key: SecretSource?, secrets: any Secrets) {
        self.url = url
        self.model = model
        self.key = key
        self.secrets = secrets
    }

    /// Its name with the model.
    package var label: String { ["http", model].compactMap(\.self).joined(separator: " ") }

    /// Transcribes the sound in `file`: as FLAC, and a long one in pieces that end in pauses.
    package func transcribe(
        _ file: String, language: String?, scratch: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws -> MachineTranscript {
        guard let target = HTTPURL(url) else {
            throw HubError(
                .config, code: "engine-url", "\"\(url)\" is not a URL",
                hint: "hub config set plugins.dictofun.engine.url URL")
        }
        var request = Request(target: target, format: .init(model: model), language: language)
        if let key { request.authorization = "Bearer " + (try await secrets.read(key)) }
        var waiting = try await pieces(of: file, scratch, maximum: Self.pieceLength)
        do {
            let end = waiting.last?.time.upperBound ?? 0
            var parts: [(heard: MachineTranscript, start: Int)] = []
            while let piece = waiting.first {
                switch try await hear(piece, &request) {
                case .heard(let heard):
                    parts.append((heard, piece.time.lowerBound))
                    waiting.removeFirst()
                    if end > 0 { progress(Double(piece.time.upperBound) / Double(end)) }
                case .tooLarge:
                    let halves = try await pieces(
                        of: piece.path, scratch, maximum: piece.time.count * 2 / 3, start: piece.time.lowerBound)
                    waiting.replaceSubrange(0..<1, with: halves)
                }
                await remove([piece], keeping: waiting)
            }
            return MachineTranscript(joining: parts)
        } catch {
            await remove(waiting)
            throw error
        }
    }

    /// The longest piece in milliseconds. Even uncompressed it is smaller than the 25 MB that OpenAI and others accept.
    private static let pieceLength = 12 * 60_000
    /// The shortest piece that is cut again when a service calls it too large.
    private static let shortestCut = 30_000

    /// What is asked of the service, and in which form, as the answers to earlier pieces have shown.
    private struct Request {
        let target: HTTPURL
        var format: TranscriptionForm.ResponseFormat
        var type = SoundFileType.flac
        let language: String?
        var authorization: String?
    }

    private enum Answer {
        case heard(MachineTranscript)
        case tooLarge
    }

    private func pieces(
        of file: String, _ scratch: String, maximum: Int, start: Int = 0
    ) async throws -> [SpeechPiece] {
        try await Self.working { () throws(SoundFileError) in
            // The file of a piece that is cut again has the name of its first part.
            let base = start > 0 || file.hasSuffix(".flac") ? "\(scratch)-\(maximum)" : scratch
            return try SpeechPiece.write(file, to: base, maximum: maximum, start: start)
        }
    }

    private static func working<T: Sendable>(
        _ work: @escaping @Sendable () throws(SoundFileError) -> T
    ) async throws -> T {
        do {
            return try await BackgroundThread.run { () throws(any Error) in
                try work()
            } whenRefused: {
                $0
            }
        } catch let error as SoundFileError {
            throw HubError(.output, code: "sound-not-written", "the sound could not be written", details: [error.text])
        }
    }

    private func remove(_ pieces: [SpeechPiece], keeping kept: [SpeechPiece] = []) async {
        for piece in pieces where !kept.contains(where: { $0.path == piece.path }) {
            if (try? await BackgroundThread.run { unlink(piece.path) }) == nil { unlink(piece.path) }
        }
    }

    /// Sends a piece; once more in a simpler form where the service refuses the first.
    private func hear(_ piece: SpeechPiece, _ request: inout Request) async throws -> Answer {
        while true {
            let response = try await send(piece, request)
            let refused: String
            do throws(TranscriptionError) {
                let heard = try OpenAITranscript.read(response.body)
                if response.isSuccess { return .heard(heard) }
                refused = "no reason given"
            } catch {
                switch error {
                case .refused(let text): refused = TerminalSanitizer.line(text)
                case .malformed, .tooLong:
                    if response.isSuccess { throw HubError(engine: label, error) }
                    refused = "no reason given"
                }
            }
            if response.status == 413, piece.time.count >= Self.shortestCut { return .tooLarge }
            guard response.isSuccess || [400, 415, 422].contains(response.status) else {
                throw refusal(response.status, request.target, refused)
            }
            if request.format != .text, refused.contains("response_format") {
                request.format = .text
            } else if request.type == .flac {
                // The server of whisper.cpp knew WAV alone for years.
                request.type = .wav
            } else {
                throw refusal(response.status, request.target, refused)
            }
        }
    }

    private func send(_ piece: SpeechPiece, _ request: Request) async throws -> HTTPResponse {
        let boundary = "hub-" + Identifier.make()
        let form = try await Self.working { [model] () throws(SoundFileError) in
            var path = piece.path
            if request.type == .wav {
                path += ".wav"
                try piece.writeWAV(to: path)
            }
            defer { if path != piece.path { unlink(path) } }
            do throws(SystemError) {
                let sound = try BoundedFile.read(path, limit: Self.soundLimit)
                return TranscriptionForm(
                    sound: sound, type: request.type, model: model, language: request.language, format: request.format,
                    boundary: boundary)
            } catch {
                throw .unwritable("\(error)")
            }
        }
        var headers = HTTPHeaders()
        headers["Content-Type"] = form.contentType
        headers["Accept"] = "application/json"
        if let authorization = request.authorization { headers["Authorization"] = authorization }
        let message = HTTPRequest(
            .post, request.target, headers: headers, body: form.body,
            deadlines: HTTPDeadlines(idle: .seconds(3600), total: .seconds(6 * 3600)))
        do throws(HTTPError) {
            return try await HTTPClient().send(message)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw HubError(
                .unavailable, code: "engine-unreachable", "the engine at \(request.target.host) cannot be reached",
                details: ["\(error)"])
        }
    }

    private func refusal(_ status: Int, _ target: HTTPURL, _ reason: String) -> HubError {
        let host = target.host
        let details = ["status \(status): \(reason)"]
        switch status {
        case 401, 403:
            return HubError(
                .denied, code: "engine-denied", "the engine at \(host) refused the key", details: details,
                hint: "hub config set plugins.dictofun.engine.key …")
        case 404, 405:
            // Of Groq and others a model that does not exist is the reason too.
            return HubError(
                .invalid, code: "engine-refused", "the engine at \(host) knows no such address or model",
                details: details + ["the path of most services is /v1/audio/transcriptions"],
                hint: "hub config set plugins.dictofun.engine.url URL")
        case 408, 429, 500...:
            return HubError(.busy, code: "engine-busy", "the engine at \(host) is busy", details: details)
        default:
            return HubError(
                .invalid, code: "engine-refused", "the engine at \(host) refused the record", details: details)
        }
    }
}
