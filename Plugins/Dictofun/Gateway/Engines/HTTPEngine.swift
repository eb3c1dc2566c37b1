package import Commands
package import DictofunDomain
import HTTPClient
package import HubKit

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

    /// The largest sound that is sent: services refuse more.
    private static let soundLimit = 512 << 20

    /// Creates the engine of the service at `url`, such as `http://127.0.0.1:8080/v1/audio/transcriptions`.
    package init(url: String, model: String?, key: SecretSource?, secrets: any Secrets) {
        self.url = url
        self.model = model
        self.key = key
        self.secrets = secrets
    }

    /// Its name with the model.
    package var label: String { ["http", model].compactMap(\.self).joined(separator: " ") }

    /// Transcribes the sound in `file`.
    package func transcribe(_ file: String, language: String?, scratch: String) async throws -> MachineTranscript {
        guard let target = HTTPURL(url) else {
            throw HubError(
                .config, code: "engine-url", "\"\(url)\" is not a URL",
                hint: "hub config set plugins.dictofun.engine.url URL")
        }
        let boundary = "hub-" + Identifier.make()
        let form: TranscriptionForm
        do throws(SystemError) {
            form = try await BackgroundThread.run(
                { [model] () throws(SystemError) in
                    let sound = try BoundedFile.read(file, limit: Self.soundLimit)
                    return TranscriptionForm(sound: sound, model: model, language: language, boundary: boundary)
                }, whenRefused: { $0 })
        } catch {
            throw HubError(
                .invalid, code: "record-too-long", "the record is too long for the service", details: ["\(error)"])
        }
        var headers = HTTPHeaders()
        headers["Content-Type"] = form.contentType
        headers["Accept"] = "application/json"
        if let key { headers["Authorization"] = "Bearer " + (try await secrets.read(key)) }
        let request = HTTPRequest(
            .post, target, headers: headers, body: form.body,
            deadlines: HTTPDeadlines(idle: .seconds(3600), total: .seconds(6 * 3600)))
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await HTTPClient().send(request)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw HubError(
                .unavailable, code: "engine-unreachable", "the engine at \(target.host) cannot be reached",
                details: ["\(error)"])
        }
        return try read(response, from: target.host)
    }

    private func read(_ response: HTTPResponse, from host: String) throws -> MachineTranscript {
        do throws(TranscriptionError) {
            if response.isSuccess { return try OpenAITranscript.read(response.body) }
            _ = try OpenAITranscript.read(response.body)
        } catch {
            guard !response.isSuccess else { throw HubError(engine: label, error) }
            let reason = if case .refused(let text) = error { TerminalSanitizer.line(text) } else { "no reason given" }
            throw refusal(response.status, host, reason)
        }
        throw refusal(response.status, host, "no reason given")
    }

    private func refusal(_ status: Int, _ host: String, _ reason: String) -> HubError {
        let details = ["status \(status): \(reason)"]
        switch status {
        case 401, 403:
            return HubError(
                .denied, code: "engine-denied", "the engine at \(host) refused the key", details: details,
                hint: "hub config set plugins.dictofun.engine.key …")
        case 408, 429, 500...:
            return HubError(.busy, code: "engine-busy", "the engine at \(host) is busy", details: details)
        default:
            return HubError(
                .invalid, code: "engine-refused", "the engine at \(host) refused the record", details: details)
        }
    }
}
