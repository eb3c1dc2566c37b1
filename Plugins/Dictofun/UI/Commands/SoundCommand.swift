import Commands

/// The hidden command by which hub reads a sound file in a process of its own.
enum SoundCommand {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "the file for the result, and the work")

    static let command = Command(
        DictofunPlugin.soundCommand, summary: "read a sound file", parameters: [words], isHidden: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        try dictofun.readSound(input[words])
        return .nothing
    }
}
