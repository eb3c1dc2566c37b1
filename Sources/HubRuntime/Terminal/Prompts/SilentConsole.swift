import Commands

/// The console of a command that no person runs: there is no one to ask, and standard input is not its own.
struct SilentConsole: Console {
    let isInteractive = false
    let canEdit = false
    let isShown = false

    func ask(_ prompt: String) async throws -> String? { nil }
    func askSecret(_ prompt: String) async throws -> String? { nil }
    func show(_ lines: [String]) async {}
    func edit(_ text: String, suffix: String, onChange: EditedText?) async throws -> String { text }
    func standardInput() -> Output.ByteStream { AsyncThrowingStream<[UInt8], any Error> { $0.finish() } }
    func report(_ progress: Progress?) {}
}
