import Archive
import NetworkTestSupport
import Synchronization
import Testing

/// The server of the European Central Bank: one zip archive with one table, as its clients describe it.
private final class RateServer: Sendable {
    /// What it sends.
    struct File: Sendable {
        var status = 200
        var headers: [String] = []
        var body: [UInt8] = []
        /// The number of bytes that are sent of the body; nil for all.
        var sent: Int?
    }

    /// What it does with connections.
    private final class Script: Sendable {
        let state = Mutex<(file: File, requests: [ScriptedRequest])>((File(), []))

        func answer(_ connection: ScriptedConnection) {
            while let request = connection.request() {
                let file = state.withLock { state in
                    state.requests.append(request)
                    return state.file
                }
                let etag = file.headers.first { $0.hasPrefix("ETag: ") }.map { String($0.dropFirst(6)) }
                guard etag == nil || request.headers["if-none-match"] != etag else {
                    connection.send("HTTP/1.1 304 Not Modified\r\n\r\n")
                    continue
                }
                let head = ["HTTP/1.1 \(file.status) Scripted", "Content-Length: \(file.body.count)"] + file.headers
                connection.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
                connection.send(Array(file.body.prefix(file.sent ?? .max)))
                if file.sent != nil { return }
            }
        }
    }

    private let script = Script()
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer { [script] in script.answer($0) } }

    var address: String { "http://127.0.0.1:\(server.port)/eurofxref-hist.zip" }
    /// The requests so far.
    var requests: [ScriptedRequest] { script.state.withLock { $0.requests } }

    func serve(_ file: File) { script.state.withLock { $0.file = file } }
}

/// Rates of exchange from the network.
@Suite(.timeLimit(.minutes(20)))
struct RateTests {
    /// A table in the form of the bank's: a comma ends each line, and `N/A` is no rate.
    private static let table = """
        Date,USD,JPY,CYP,GBP,
        2026-09-18,1.25,150.5,N/A,0.85,
        2026-09-17,1.2,150,N/A,0.84,
        1999-01-04,1.1789,133.73,0.58231,0.7111,

        """

    private static func zip(_ table: String, name: String = "eurofxref-hist.csv") throws -> [UInt8] {
        let writer = try ZipWriter()
        try writer.add(ArchiveEntry(name, Array(table.utf8)))
        try writer.finish()
        return writer.take()
    }

    private func hub(_ server: RateServer) throws -> MarketHub {
        // No provider of prices is ever reached.
        try MarketHub([
            #"market.providers = ["coinpaprika"]"#, #"market.coinpaprika.url = "http://127.0.0.1:1/v1""#,
            "market.rates.url = \"\(server.address)\"",
        ])
    }

    @Test func `the archive of the bank is fetched, kept, and not sent again`() async throws {
        let server = try RateServer()
        let hub = try hub(server)
        server.serve(
            .init(
                headers: [
                    "Content-Type: application/zip", "ETag: \"one\"", "Last-Modified: Fri, 18 Sep 2026 14:00:00 GMT",
                ],
                body: try Self.zip(Self.table)))
        let first = await hub.run("market rates fetch")
        #expect(
            first.exit == 0 && first.output == "4 currencies, 1999-01-04 to 2026-09-18: 10 new or changed rates\n",
            "\(first.all)")
        let list = await hub.run("market rates --plain=currency,first,last,count")
        #expect(
            list.output.contains("cyp\t1999-01-04\t1999-01-04\t1\n")
                && list.output.contains("usd\t1999-01-04\t2026-09-18\t3"))
        let again = await hub.run("market rates fetch")
        #expect(again.exit == 0 && again.output == "No new rates: the file is the same as before\n", "\(again.all)")
        let sent = server.requests
        #expect(sent.map(\.headers["if-none-match"]) == [nil, "\"one\""])
        #expect(sent.last?.headers["if-modified-since"] == "Fri, 18 Sep 2026 14:00:00 GMT")
        // A corrected rate replaces the old one, and a file that is not packed is read too.
        server.serve(.init(headers: ["Content-Type: text/csv"], body: Array("Date,USD,\n2026-09-18,1.26,\n".utf8)))
        #expect(await hub.run("market rates fetch").output.contains("2026-09-18: 1 new or changed rates"))
        #expect(await hub.run("market rates --plain=currency,count").output.contains("usd\t3\n"))
    }

    @Test(arguments: [
        "cut archive", "cut body", "page", "page as archive", "empty", "no table", "missing", "not changed",
    ])
    func `an answer that is no file of rates changes nothing, and says why`(_ kind: String) async throws {
        let server = try RateServer()
        let hub = try hub(server)
        let archive = try Self.zip(Self.table)
        let html = Array("<!DOCTYPE html><html><head><title>Maintenance</title></head></html>\n".utf8)
        let file: RateServer.File =
            switch kind {
            case "cut archive": .init(body: Array(archive.prefix(archive.count / 2)))
            case "cut body": .init(body: archive, sent: 40)
            case "page": .init(headers: ["Content-Type: text/html"], body: html)
            case "page as archive": .init(body: try Self.zip(String(decoding: html, as: UTF8.self)))
            case "empty": .init()
            case "no table": .init(body: try Self.zip(Self.table, name: "readme.txt"))
            case "missing": .init(status: 404, body: html)
            default: .init(status: 304)
            }
        server.serve(file)
        let run = await hub.run("market rates fetch")
        #expect(run.exit != 0 && run.messages.contains("the European Central Bank"), "\(kind): \(run.all)")
        #expect(run.messages.contains("hub market rates import FILE"), "\(run.all)")
        #expect(await hub.run("market rates --json").output == "[]\n")
    }

    @Test func `a table that was cut off loses its last row only, with a warning`() async throws {
        let server = try RateServer()
        let hub = try hub(server)
        let cut = Self.table.split(separator: "0.58231")[0]
        server.serve(.init(headers: ["ETag: \"cut\""], body: Array(cut.utf8)))
        let run = await hub.run("market rates fetch")
        #expect(run.exit == 2 && run.messages.contains("line 4: the row has 4 of 6 columns"), "\(run.all)")
        #expect(await hub.run("market rates --plain=currency,first").output.contains("usd\t2026-09-17\n"))
        // It is asked for as a whole the next time.
        server.serve(.init(headers: ["ETag: \"cut\""], body: Array(Self.table.utf8)))
        #expect(await hub.run("market rates fetch").output.contains("1999-01-04"))
        #expect(server.requests.last?.headers["if-none-match"] == nil)
    }

    @Test func `old data is said to be old`() async throws {
        let server = try RateServer()
        let hub = try hub(server)
        server.serve(.init(body: try Self.zip("Date,USD,\n2026-01-02,1.25,\n")))
        let run = await hub.run("market rates fetch")
        #expect(run.messages.contains("the newest rate is of 2026-01-02: the server has old data"), "\(run.all)")
    }

    @Test func `views ask once a day, and never offline`() async throws {
        let server = try RateServer()
        let hub = try hub(server)
        server.serve(.init(body: try Self.zip("Date,USD,\n2026-09-18,1.25,\n")))
        #expect(await hub.run("market rates fetch --offline").messages.contains("rates need the network"))
        try hub.write(
            "date,kind,token,symbol,amount,price,currency,id\n"
                + "2020-01-02,buy,bitcoin,BTC,1,10,eur,\n2020-02-03,sell,bitcoin,BTC,1,20,eur,\n", to: "t.csv")
        let taken = await hub.run("market portfolio import --offline \(hub.folder)/t.csv")
        #expect(taken.all.contains("2 new"), "\(taken.all)")
        #expect(await hub.run("market portfolio gains --offline --currency usd").exit == 2)
        #expect(server.requests.isEmpty)
        for _ in 0..<3 {
            let run = await hub.run("market portfolio gains --currency usd")
            #expect(run.messages.contains("no rate of EUR is known"), "\(run.all)")
        }
        #expect(server.requests.count == 1)
        hub.clock.advance(by: .seconds(23 * 3600))
        await hub.run("market portfolio gains --currency usd")
        #expect(server.requests.count == 1)
        hub.clock.advance(by: .seconds(2 * 3600))
        await hub.run("market portfolio gains --currency usd")
        #expect(server.requests.count == 2)
    }

    @Test func `the archive is imported as it was downloaded`() async throws {
        let server = try RateServer()
        let hub = try hub(server)
        let archive = try Self.zip(Self.table)
        try hub.write(archive, to: "eurofxref-hist.zip")
        let run = await hub.run("market rates import \(hub.folder)/eurofxref-hist.zip")
        #expect(run.exit == 0 && run.output.contains("10 new or changed rates"), "\(run.all)")
        try hub.write(Array(archive.prefix(60)), to: "cut.zip")
        let cut = await hub.run("market rates import \(hub.folder)/cut.zip")
        #expect(cut.exit == 65 && cut.messages.contains("is a damaged archive"), "\(cut.all)")
        #expect(server.requests.isEmpty)
    }
}
