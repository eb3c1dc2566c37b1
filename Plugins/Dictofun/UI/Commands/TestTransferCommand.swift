package import Commands
package import DictofunDomain

/// `hub dictofun test-fts`: the three tests of the file transfer service, for developers of recorders.
enum TestTransferCommand {
    private static let test = Argument<FTSSelfTest>("TEST", help: "1: list, 2: files, 3: memory")
    private static let device = Arguments<String>(
        "DEVICE", .optional, help: "recorder (default: the first paired one in range)",
        completion: DeviceCommands.deviceCompletion)

    static let command = Command(
        "test-fts", summary: "test the file transfer of a recorder with test files",
        discussion: [
            "The firmware of the recorder must serve its two built-in test files. Test 1 checks the list, test 2 the contents of the "
                + "files, test 3 the memory statistics. Nothing is stored. Requires plugins.dictofun.development = true."
        ],
        examples: [
            Example("hub dictofun test-fts 1", "the list of files"),
            Example("hub dictofun test-fts 2 desk", "the contents, with one of several recorders"),
        ], prominence: .full, parameters: [test, device]
    ) { (dictofun: DictofunPlugin, input: Input) in
        guard dictofun.config[DictofunKeys.development] else {
            throw HubError(
                .usage, code: "development-only", "test-fts requires development mode",
                hint: "hub config set plugins.dictofun.development true")
        }
        var chosen: Device?
        if let name = input[device].first { chosen = try await DeviceCommands.paired(dictofun, named: name) }
        let waiting = input.console.listening()
        defer { input.console.report(nil) }
        let (tested, problems) = try await dictofun.testTransfer(
            input[test], with: chosen, operation: Operation(input), waiting: waiting)
        guard problems.isEmpty else {
            throw HubError(
                .conflict, code: "transfer-test-failed", "test \(input[test].rawValue) of \(tested.name) failed",
                details: problems, hint: "the recorder must run firmware with the built-in test files")
        }
        return .done("Test \(input[test].rawValue) of \(tested.name) passed")
    }
}

extension FTSSelfTest: ArgumentValue {
    /// The test with a number.
    package static func parse(argument: String) throws(InvalidArgument) -> FTSSelfTest {
        guard let test = Int(argument).flatMap(FTSSelfTest.init) else {
            throw InvalidArgument(expected: "1, 2 or 3")
        }
        return test
    }

    /// The numbers.
    package static var choices: [String]? { allCases.map { "\($0.rawValue)" } }
}
