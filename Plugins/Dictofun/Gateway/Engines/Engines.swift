package import Commands
package import DictofunDomain
import Glibc
package import HubKit

/// The engines that are configured or installed, and the choice among them.
package struct Engines: Sendable {
    private let settings: Settings
    private let programs: Programs
    private let secrets: any Secrets
    private let isOffline: Bool

    /// The names of whisper.cpp's program.
    private static let whisperNames = ["whisper-cli", "whisper-cpp"]

    /// The settings that say which engine is used, and how.
    package struct Settings: Sendable {
        /// The engine that is used; nil for the best that is there.
        package var name: String?
        /// The command line of an engine.
        package var command: String?
        /// The model.
        package var model: String?
        /// The Python interpreter that has faster-whisper; nil to look for one.
        package var python: String?
        /// The spoken language; nil lets the engine decide.
        package var language: String?
        /// The URL of a service.
        package var url: String?
        /// The key of the service.
        package var key: SecretSource?

        package init() {}
    }

    /// Creates the engines that `settings` and the installed programs offer.
    package init(_ settings: Settings, programs: Programs, secrets: any Secrets, isOffline: Bool = false) {
        self.settings = settings
        self.isOffline = isOffline
        self.programs = programs
        self.secrets = secrets
    }

    /// The configured language; nil lets the engine decide.
    package var language: String? { settings.language }

    /// The names of all engines.
    package static let names = ["command", "http", "whisper", "faster-whisper", "pocketsphinx"]

    /// Returns the engine `name`, or the one that is configured, or the best that is there. Throws `config` with what is missing.
    package func engine(_ name: String? = nil) throws -> any TranscriptionEngine {
        if let wanted = name ?? settings.name {
            guard Self.names.contains(wanted) else {
                throw HubError(
                    .usage, code: "engine-unknown", "no engine named \"\(wanted)\"",
                    hint: Suggestion.nearest(to: wanted, in: Self.names).map { "did you mean \($0)?" }
                        ?? "hub dictofun engines list")
            }
            return try make(wanted)
        }
        for name in Self.names { if let engine = try? make(name) { return engine } }
        throw HubError(
            .config, code: "no-engine", "no transcription engine is installed",
            details: [
                "a Whisper on this computer: " + Programs.fasterWhisperInstallation,
                "or whisper.cpp: put whisper-cli on the PATH and its model into plugins.dictofun.engine.model",
                "or any command: hub config set plugins.dictofun.engine.command '… {file}'",
                "or a service: hub config set plugins.dictofun.engine.url URL",
                "pocketsphinx is less accurate: apt install pocketsphinx",
            ], hint: "hub dictofun engines list shows what each is missing")
    }

    /// Returns all engines with what each lacks.
    package func list() -> [EngineStatus] {
        let best = (try? engine())?.name
        return Self.names.map { name in
            do {
                let engine = try make(name)
                return EngineStatus(
                    name: name, label: engine.label, isReady: true, isDefault: name == best,
                    detail: engine.isRough
                        ? "rough: about every second word, English only"
                        : engine.isRemote
                            ? "sends the sound to \(settings.url ?? "")"
                            : engine is FasterWhisperEngine
                                ? "on this computer; downloads its model once"
                                : "on this computer")
            } catch {
                let reason = error as? HubError
                return EngineStatus(
                    name: name, label: name, isReady: false, isDefault: false,
                    detail: reason.map { ([$0.message] + [$0.hint].compactMap(\.self)).joined(separator: ": ") }
                        ?? "\(error)")
            }
        }
    }

    private func make(_ name: String) throws -> any TranscriptionEngine {
        switch name {
        case "command":
            guard let line = settings.command else {
                throw missing("no command is configured", "hub config set plugins.dictofun.engine.command '… {file}'")
            }
            return CommandEngine(name: name, template: try template(line), model: model)
        case "http":
            guard let url = settings.url else {
                throw missing("no service is configured", "hub config set plugins.dictofun.engine.url URL")
            }
            return HTTPEngine(url: url, model: settings.model, key: settings.key, secrets: secrets)
        case "whisper":
            guard let program = Self.whisperNames.lazy.compactMap({ programs.find($0) }).first else {
                throw missing(
                    "whisper-cli is not on the PATH", "build whisper.cpp: https://github.com/ggml-org/whisper.cpp")
            }
            guard let model else {
                throw missing(
                    "whisper-cli needs a model", "hub config set plugins.dictofun.engine.model ~/models/ggml-base.bin")
            }
            guard access(model, R_OK) == 0 else {
                throw missing("the model \(model) cannot be read", "hub config set plugins.dictofun.engine.model FILE")
            }
            let line = ShellWords.quote(program) + " " + CommandEngine.whisperArguments
            return CommandEngine(name: name, template: try template(line), model: model)
        case "faster-whisper":
            if let python = settings.python, access(python, X_OK) != 0 {
                throw missing("\(python) cannot be run", "hub config set plugins.dictofun.engine.python FILE")
            }
            guard let python = settings.python ?? programs.pythonWithFasterWhisper() else {
                throw missing("faster-whisper is not installed", Programs.fasterWhisperInstallation)
            }
            return FasterWhisperEngine(python: python, model: fasterWhisperModel, isOffline: isOffline)
        default:
            guard let program = programs.find("pocketsphinx_continuous", "pocketsphinx") else {
                throw missing("pocketsphinx is not installed", "apt install pocketsphinx pocketsphinx-en-us")
            }
            guard programs.hasShared("pocketsphinx/model/en-us", for: program) else {
                throw missing("pocketsphinx has no model for English", "apt install pocketsphinx-en-us")
            }
            return PocketsphinxEngine(program: program)
        }
    }

    /// The model of faster-whisper: a name or a folder. A file is a model of whisper.cpp.
    private var fasterWhisperModel: String? {
        guard let model else { return nil }
        var status = stat()
        if model.contains("/"), stat(model, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return nil }
        return model
    }

    /// The model with `~` for the home folder.
    private var model: String? {
        guard let model = settings.model, model.hasPrefix("~/"), let home = getenv("HOME") else {
            return settings.model
        }
        return String(cString: home) + model.dropFirst()
    }

    private func template(_ line: String) throws(HubError) -> CommandTemplate {
        do throws(CommandTemplate.Problem) {
            return try CommandTemplate(line)
        } catch {
            let reason =
                switch error {
                case .empty: "it is empty"
                case .unclosedQuote: "a quote is not closed"
                case .unknownPlaceholder(let name):
                    "unknown placeholder {\(name)}; use {file}, {language}, {output} or {model}"
                case .missingFile: "it has no {file}, the placeholder for the sound file"
                }
            throw HubError(
                .config, code: "engine-command", "the command of the engine cannot be used: \(reason)", details: [line],
                hint: "hub config set plugins.dictofun.engine.command '…'")
        }
    }

    private func missing(_ reason: String, _ hint: String) -> HubError {
        HubError(.config, code: "engine-missing", reason, hint: hint)
    }
}
