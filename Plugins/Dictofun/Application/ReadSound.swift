import System

extension DictofunPlugin {
    /// The name of the hidden command by which hub reads a sound file in a process of its own.
    static let soundCommand = SoundWork.command

    /// Does the work of that command: `words` are the file for the result, and the work.
    func readSound(_ words: [String]) throws {
        guard let result = words.first, let work = SoundWork(words: Array(words.dropFirst())) else {
            throw HubError(.usage, code: "no-work", "only the program itself calls this command")
        }
        try work.run(result: result)
    }
}
