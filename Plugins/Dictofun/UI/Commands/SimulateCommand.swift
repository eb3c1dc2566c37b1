import Commands

/// `hub dictofun simulate`: a recorder in software, to try the whole way.
enum SimulateCommand {
    private static let records = Option<Int>(
        "records", "N", in: 0...255, help: "number of records with tones (default: 2)")
    private static let speech = Option<[String]>(
        "speech", "TEXT", help: "add a record with this text, spoken (can be repeated)")
    private static let battery = Option<Int>(
        "battery", "PERCENT", in: 0...100, help: "charge of its battery (default: 72)")

    static let command = Command(
        "simulate", summary: "start a simulated recorder",
        discussion: [
            "The recorder is on a private message bus, whose address is printed. With this address in DBUS_SYSTEM_BUS_ADDRESS, "
                + "other commands find the recorder. Runs until Ctrl-C."
        ],
        examples: [
            Example("hub dictofun simulate", "two records with tones"),
            Example(#"hub dictofun simulate --records 0 --speech "call the plumber""#, "one spoken record"),
        ], prominence: .full, parameters: [records, speech, battery]
    ) { (dictofun: DictofunPlugin, input: Input) in
        var words: [String] = []
        if let count = input[records] { words += ["--records", "\(count)"] }
        if let charge = input[battery] { words += ["--battery", "\(charge)"] }
        words += input[speech].flatMap { ["--speech", $0] }
        await input.console.show([
            "Simulated recorder. In another terminal, with the address below:",
            "  export DBUS_SYSTEM_BUS_ADDRESS=…", "  hub dictofun pair 01", "  hub dictofun sync",
        ])
        try await dictofun.simulate(words)
        return .nothing
    }
}
