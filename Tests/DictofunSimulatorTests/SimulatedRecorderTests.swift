import DBus
import DictofunDomain
import Testing

/// The engines against a recorder that shares no code with them, over a real message bus.
struct SimulatedRecorderTests {
    private static let address = "C0:DE:00:00:00:01"

    /// Pairs, then fetches until every file is here. Between two runs the recorder is switched off and on; each of the first
    /// runs is disturbed, in the middle of a file, by one of the requests to the simulator.
    private static func fetchAll(
        _ options: [String], runs: Int = 1, disturbances: [String] = [], patience: Duration = .seconds(300)
    ) async throws -> (files: [[UInt8]], stored: [[UInt8]]) {
        let simulator = try Simulator(options + ["--power-on", "0.05"])
        let connection = try await DBusConnection.open(simulator.address, timeout: .seconds(600))
        var stored: [FileID: [UInt8]] = [:]
        var report: FTSReport?
        for run in 0..<runs where report?.outcome != .complete {
            if run > 0 { try await simulator.control(#"{"do": "power-off"}"#, over: connection) }
            let disturbing = disturbances.dropFirst(run).first.map { request in
                Task {
                    // A request for data is under way: it is the last one that the recorder has.
                    while !(try await simulator.control(#"{"do": "state"}"#, over: connection)).contains(isFetching) {
                        try Task.checkCancellation()
                    }
                    try await simulator.control(request, over: connection)
                }
            }
            let driver = RecorderDriver(
                connection, .pair(address: address), inventory: .init(ids: Set(stored.keys)), patience: patience)
            let result = try await driver.run()
            disturbing?.cancel()
            _ = await disturbing?.result
            for (id, bytes) in result.stored {
                #expect(stored[id] == nil, "\(id) was fetched twice")
                stored[id] = bytes
            }
            report = result.report
        }
        #expect(report?.outcome == .complete, "\(String(describing: report))")
        let ordered = stored.sorted { $0.key.text < $1.key.text }.map(\.value)
        await connection.close()
        return (simulator.files, ordered)
    }

    /// The answer of the simulator while a file is on its way.
    private static var isFetching: String { #""is_fetching": true"# }

    @Test(arguments: [
        ["--records", "3", "--seconds", "0.3"], ["--records", "20", "--size", "640"],
        ["--size", "40000", "--mtu", "23"],
        ["--size", "40000", "--mtu", "100", "--records", "17"], ["--protocol", "1", "--records", "5", "--size", "640"],
        ["--records", "0"], ["--size", "64000", "--fault", "no-acquire"],
        ["--size", "6400", "--fault", "late-services"],
    ])
    func `every file is fetched byte for byte`(options: [String]) async throws {
        let result = try await SimulatedRecorderTests.fetchAll(options + ["--development", "--packet-interval", "0"])
        let isEqual = result.files == result.stored
        #expect(isEqual)
    }

    /// The last packet has another size than all before it, so a packet that came twice shows in the number of bytes.
    @Test(arguments: [
        ["--fault", "skip=0.002"], ["--fault", "battery=0.002"], ["--fault", "duplicate=0.002"],
        ["--fault", "corrupt=0.1"],
        ["--fault", "short=0.1"], ["--fault", "disconnect=0.002"], ["--fault", "write-error=0.1"],
        ["--fault", "keep-alive=0.01", "--fault", "noise=0.0005"], ["--fault", "bad-info=0.2"],
        ["--fault", "locked=0.1"],
    ])
    func `with faults every file is fetched in the end`(faults: [String]) async throws {
        let result = try await SimulatedRecorderTests.fetchAll(
            ["--size", "30016", "--records", "5", "--development", "--packet-interval", "0"] + faults, runs: 30,
            patience: .seconds(2))
        let isEqual = result.files == result.stored
        #expect(isEqual)
    }

    @Test func `nothing is lost when the service, the adapter, the link or the power ends in the middle of a file`()
        async throws
    {
        let disturbances = [
            #"{"do": "restart"}"#, #"{"do": "adapter", "powered": false}"#, #"{"do": "disconnect"}"#,
            #"{"do": "power-off"}"#,
        ]
        let result = try await SimulatedRecorderTests.fetchAll(
            ["--size", "64000", "--records", "3", "--development", "--packet-interval", "1"], runs: 8,
            disturbances: disturbances)
        let isEqual = result.files == result.stored
        #expect(isEqual)
    }

    @Test func `a recorder is paired, given the time, read once, and unpaired`() async throws {
        let simulator = try Simulator(["--records", "2", "--size", "640", "--packet-interval", "0", "--development"])
        let connection = try await DBusConnection.open(simulator.address, timeout: .seconds(600))
        let unpaired = try await RecorderDriver(connection, .connect(address: SimulatedRecorderTests.address)).run()
        #expect(unpaired.connection == .failed(.notPaired))
        let first = try await RecorderDriver(connection, .pair(address: SimulatedRecorderTests.address)).run()
        #expect(first.report?.outcome == .complete)
        #expect(first.stored.count == 2)
        // 20 000 days after 1970-01-01, 01:02:03.
        let state = try await simulator.control(#"{"do": "state"}"#, over: connection)
        #expect(state.contains(#""clock": [2024, 10, 4, 1, 2, 3]"#))
        let known = FTSEngine.Inventory(ids: Set(first.stored.keys))
        let second = try await RecorderDriver(connection, .connect(address: nil), inventory: known).run()
        #expect(second.report?.outcome == .complete)
        #expect(second.stored.isEmpty)
        let gone = try await RecorderDriver(connection, .unpair(address: SimulatedRecorderTests.address)).run()
        #expect(gone.connection == .unpaired)
        #expect(try await simulator.control(#"{"do": "state"}"#, over: connection).contains(#""bonds": 0"#))
        let again = try await RecorderDriver(connection, .pair(address: SimulatedRecorderTests.address)).run()
        #expect(again.report?.outcome == .complete)
        await connection.close()
    }

    @Test func `the tests of development mode pass with the built-in files and fail with others`() async throws {
        for (options, isBuiltIn) in [(["--test-files"], true), (["--records", "1", "--size", "640"], false)] {
            let simulator = try Simulator(options + ["--packet-interval", "0", "--development"])
            let connection = try await DBusConnection.open(simulator.address, timeout: .seconds(600))
            let driver = RecorderDriver(
                connection, .pair(address: SimulatedRecorderTests.address), tellsCompletion: false)
            let result = try await driver.run()
            let report = try #require(result.report)
            for test in FTSSelfTest.allCases {
                #expect(test.problems(in: report, received: result.stored).isEmpty == isBuiltIn)
            }
            await connection.close()
        }
    }

    @Test func `only the named one of several recorders is read`() async throws {
        let simulator = try Simulator(["--devices", "3", "--records", "1", "--size", "640", "--development"])
        let connection = try await DBusConnection.open(simulator.address, timeout: .seconds(600))
        let result = try await RecorderDriver(connection, .pair(address: "C0:DE:00:00:00:03")).run()
        #expect(result.stored.keys.map(\.text) == ["0000261121094100"])
        await connection.close()
    }

    @Test(arguments: [("--battery", "12", FTSReport.Outcome.lowBattery), ("--fault", "pair-rejected", nil)])
    func `a low battery and a refused pairing end a run`(
        option: String, value: String, outcome: FTSReport.Outcome?
    ) async throws {
        let simulator = try Simulator([option, value, "--records", "1", "--size", "640", "--development"])
        let connection = try await DBusConnection.open(simulator.address, timeout: .seconds(600))
        let result = try await RecorderDriver(connection, .pair(address: SimulatedRecorderTests.address)).run()
        #expect(result.report?.outcome == outcome)
        #expect(result.stored.isEmpty)
        if outcome == nil { #expect(result.connection == .failed(.pairingFailed(.authenticationRejected))) }
        #expect(try await simulator.control(#"{"do": "state"}"#, over: connection).contains(#""requests": []"#))
        await connection.close()
    }
}
