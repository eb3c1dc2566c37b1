import Commands

/// The settings of Dictofun.
enum DictofunKeys {
    static let inbox = ConfigKey(
        "inbox", .list(of: .path), default: [],
        help: "folders whose sound files are imported as they arrive, such as a synced phone folder")
    static let engineName = ConfigKey<String?>(
        "engine.name", .text, otherwise: "the best available",
        help: "transcription engine: whisper, faster-whisper, command, http or pocketsphinx", example: #""whisper""#)
    static let engineCommand = ConfigKey<String?>(
        "engine.command", .text, help: "command line of an engine, with {file}, {language}, {output} and {model}",
        example: #""whisper-cli -m {model} -l {language} -nt -f {file}""#)
    static let engineModel = ConfigKey<String?>(
        "engine.model", .text,
        help: "model of the engine: a file for whisper, a name or folder for faster-whisper, a name for a service",
        example: #""~/models/base.bin""#)
    static let enginePython = ConfigKey<String?>(
        "engine.python", .path, otherwise: "found by itself",
        help: "Python interpreter that has the package faster-whisper", example: #""~/venvs/whisper/bin/python""#)
    static let engineLanguage = ConfigKey<String?>(
        "engine.language", .text, otherwise: "detected by the engine", help: "spoken language, such as en",
        example: #""en""#)
    static let engineURL = ConfigKey<String?>(
        "engine.url", .text, help: "URL of a transcription service that is compatible with OpenAI's",
        example: #""http://127.0.0.1:8080/v1/audio/transcriptions""#)
    static let engineKey = ConfigKey<SecretSource?>(
        "engine.key", .secret, help: "key for the service", example: #"{ keyring = "whisper" }"#, isSecret: true)
    static let transcribes = ConfigKey(
        "transcribe", .bool, default: true, help: "whether new records are transcribed automatically")
    static let firmwareReleases = ConfigKey<String?>(
        "firmware.releases", .text,
        help: "URL of a list of firmware releases in GitHub's format, read once a day; no checks without it",
        example: #""https://api.github.com/repos/OWNER/NAME/releases""#)
    static let development = ConfigKey(
        "development", .bool, default: false, help: "whether the tests for recorder developers are available")

    static let all: [any ConfigDeclaration] = [
        inbox, engineName, engineCommand, engineModel, enginePython, engineLanguage, engineURL, engineKey, transcribes,
        firmwareReleases, development,
    ]

    /// The settings of engines.
    static func engine(_ config: Config) -> Engines.Settings {
        var settings = Engines.Settings()
        settings.name = config[engineName]
        settings.command = config[engineCommand]
        settings.model = config[engineModel]
        settings.python = config[enginePython]
        settings.language = config[engineLanguage]
        settings.url = config[engineURL]
        settings.key = config[engineKey]
        return settings
    }
}
