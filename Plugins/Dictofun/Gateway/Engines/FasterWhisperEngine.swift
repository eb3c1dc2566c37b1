package import DictofunDomain
import Glibc
import System

/// A Whisper model in the Python package `faster-whisper`, on this computer.
package struct FasterWhisperEngine: TranscriptionEngine {
    /// The word by which it is chosen.
    package let name = "faster-whisper"
    /// Whether its texts are too rough to be taken over by others.
    package let isRough = false
    /// Whether it sends the sound over the network.
    package let isRemote = false
    private let python: String
    private let model: String
    private let isOffline: Bool

    /// The model unless another is set: all languages, and faster than speech on a laptop.
    package static let standardModel = "base"
    private static let limit = Duration.seconds(24 * 3600)

    /// Creates the engine of the interpreter `python`. `model` is the name of a model, which is downloaded once, or its folder.
    package init(python: String, model: String?, isOffline: Bool = false) {
        self.python = python
        self.model = model ?? Self.standardModel
        self.isOffline = isOffline
    }

    /// Its name with the model.
    package var label: String { "faster-whisper " + (model.split(separator: "/").last.map(String.init) ?? model) }

    /// Transcribes the sound in `file`.
    package func transcribe(
        _ file: String, language: String?, scratch: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws -> MachineTranscript {
        let spoken = language == "auto" ? nil : language
        let words = [python, "-c", Self.driver, file, model, spoken ?? "", isOffline ? "offline" : ""]
        let output = try await EngineProcess.run(words, limit: Self.limit, name: label, progress: progress)
        do throws(TranscriptionError) {
            return try OpenAITranscript.read(output)
        } catch {
            throw HubError(engine: label, error)
        }
    }

    /// The program that Python runs. It writes the percentages of its progress to standard error, and the phrases and words to standard
    /// output, in the form of OpenAI's services.
    private static let driver = #"""
        import sys
        if sys.path and sys.path[0] == "":
            del sys.path[0]  # nothing is loaded from the folder in which hub was started
        import json, os
        os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
        file, model, language, network = sys.argv[1:5]
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            sys.exit(f"{sys.executable} has no usable faster-whisper: {error}")

        def later(reason):
            print(f"the model {model} is not on this computer yet, and {reason}", file=sys.stderr)
            print("connect this computer once, or set plugins.dictofun.engine.model to a folder with a model", file=sys.stderr)
            sys.exit(75)

        def load(device):
            options = {"device": device, "compute_type": "auto" if device == "auto" else "int8"}
            try:
                return WhisperModel(model, local_files_only=True, **options)
            except FileNotFoundError:
                if network == "offline":
                    later("--offline is given")
            print(f"downloading the model {model}", file=sys.stderr, flush=True)
            try:
                return WhisperModel(model, **options)
            except Exception as error:
                modules = {kind.__module__.split(".")[0] for kind in type(error).__mro__}
                if isinstance(error, OSError) or modules & {"huggingface_hub", "httpx", "requests", "urllib3"}:
                    later("Hugging Face cannot be reached")
                raise

        def transcribe(device):
            options = {"language": language.split("-")[0].lower() or None, "word_timestamps": True, "condition_on_previous_text": False}
            segments, info = load(device).transcribe(file, vad_filter=True, **options)
            found, told = [], -1
            for part in segments:
                words = [vars(word) if hasattr(word, "__dict__") else word._asdict() for word in part.words or []]
                found.append({"start": part.start, "end": part.end, "text": part.text, "words": words})
                percent = min(100, int(100 * part.end / info.duration)) if info.duration else 100
                if percent > told:
                    told = percent
                    print(f"{percent}%", file=sys.stderr, flush=True)
            text = "".join(part["text"] for part in found)
            json.dump({"text": text, "language": info.language, "segments": found}, sys.stdout, default=float)

        try:
            try:
                transcribe("auto")
            except RuntimeError as error:
                if not any(name in str(error).lower() for name in ("cuda", "cudnn", "cublas")):
                    raise
                transcribe("cpu")  # a graphics processor whose libraries are missing
        except Exception as error:
            sys.exit(f"{type(error).__name__}: {error}")
        """#
}

extension Programs {
    /// Returns the Python interpreter that has the package faster-whisper; nil if none has it. Nothing is run to find out.
    package func pythonWithFasterWhisper() -> String? {
        var candidates =
            home.map { home in
                [Self.environment(home)]
                    + ["faster-whisper", "whisper-ctranslate2"].map { "\(home)/.local/share/pipx/venvs/\($0)" }
            } ?? []
        candidates = candidates.map { $0 + "/bin/python" }
        // The programs of pipx, uv and pip name the interpreter in their first line.
        if let program = find("whisper-ctranslate2"), let interpreter = Self.interpreter(of: program) {
            candidates.append(interpreter)
        }
        if let python = find("python3") { candidates.append(python) }
        return candidates.first { access($0, X_OK) == 0 && hasFasterWhisper($0) }
    }

    /// The virtual environment that ``fasterWhisperInstallation`` makes.
    private static func environment(_ home: String) -> String { home + "/.local/share/faster-whisper" }

    /// The line that installs faster-whisper for the user, without a change of the system's Python.
    package static let fasterWhisperInstallation =
        "python3 -m venv ~/.local/share/faster-whisper && ~/.local/share/faster-whisper/bin/pip install faster-whisper"

    /// The names of folders of packages. To list a folder would block.
    private static let pythonVersions = ["python3"] + (8...30).map { "python3.\($0)" }

    private func hasFasterWhisper(_ python: String) -> Bool {
        let folders = python.split(separator: "/", omittingEmptySubsequences: false)
        guard folders.suffix(2).first == "bin" else { return false }
        let prefix = folders.dropLast(2).joined(separator: "/")
        var roots = [prefix]
        if access(prefix + "/pyvenv.cfg", R_OK) != 0 {
            // An interpreter of the system looks into the folders of the administrator and of the user too.
            roots += ["/usr/local"] + [home.map { $0 + "/.local" }].compactMap(\.self)
        }
        for library in roots.map({ $0 + "/lib" }) {
            for version in Self.pythonVersions {
                for packages in ["site-packages", "dist-packages"]
                where access("\(library)/\(version)/\(packages)/faster_whisper/__init__.py", R_OK) == 0 {
                    return true
                }
            }
        }
        return false
    }

    private static func interpreter(of program: String) -> String? {
        guard let bytes = try? BoundedFile.read(program, limit: 1 << 20), bytes.starts(with: "#!".utf8) else {
            return nil
        }
        let line = bytes.dropFirst(2).prefix { $0 != 0x0A }
        return String(decoding: line, as: UTF8.self).split(separator: " ").first.map(String.init)
    }
}
