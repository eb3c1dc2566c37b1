import BigInteger
import Commands
import HubKitTesting
import Testing

/// Commands with their output, on demo data.
struct CommandTests {
    @Test func `the commands are declared well`() {
        #expect(CommandValidator.problems(in: MarketHub.commands).filter { $0.contains("market") } == [])
    }

    /// What stands in the way of an example here: its files, and what it is about.
    private static let before = [
        "hub market coins link ltc doge",
        "hub market watchlist add ada --list defi", "hub market watchlist add eth",
        "hub market portfolio buy 1 btc --price 10 --date 2026-01-01",
        "hub market portfolio buy 2 eth --price 10 --place kraken --tag old --date 2026-01-01",
        "hub market portfolio buy 1 btc --price 10 --place kraken --tag savings --date 2026-01-02",
        "hub market alerts new btc \"> 1\"",
    ]

    @Test func `every example of the help works`() async throws {
        func examples(_ command: Command) -> [String] {
            command.examples.map(\.command) + command.subcommands.flatMap(examples)
        }
        let market = try #require(MarketHub.commands.subcommand(named: "market"))
        let before = try MarketHub()
        try before.write(
            "watchlist: [BTC.X]\nlots:\n  - symbol: BTC.X\n    quantity: 1\n    unit_cost: 5\n", to: "a.yaml")
        try before.write("Date,Symbol,Qty\n2026-01-02,BTC,1\n", to: "other.csv")
        try before.write("Date,USD,JPY\n2025-12-31,1.1,180.5\n", to: "rates.csv")
        for line in Self.before {
            let run = await before.run(String(line.dropFirst(4)))
            #expect(run.exit == 0, "\(line): \(run.all)")
        }
        #expect(await before.run("market rates import \(before.folder)/rates.csv").exit == 0)
        var count = 0
        for example in examples(market) {
            let hub = try MarketHub(copying: before)
            var line = String(example.dropFirst(4))
            if line.contains("restore") {
                let rest = line.contains("alerts") ? "alerts rm last --yes" : "portfolio rm last --yes"
                #expect(await hub.run("market \(rest)").exit == 0)
                line = line.replacing("7kt", with: "last").replacing("restore btc", with: "restore last")
            }
            line = line.replacing("~/.ticker.yaml", with: hub.folder + "/a.yaml")
                .replacing("~/.config/cointop/config.toml", with: hub.folder + "/a.yaml --as ticker")
                .replacing("eurofxref-hist.csv", with: hub.folder + "/rates.csv")
                .replacing("other.csv", with: hub.folder + "/other.csv")
                .replacing("trades.csv", with: hub.folder + (line.contains("import") ? "/a.yaml" : "/trades.csv"))
            if line.contains("test btc") || line.contains("test last") {
                line = line.replacing("btc", with: "last")
            }
            // The wallet is that of status-go, which demo data does not have.
            if line.hasPrefix("market wallet"), !line.hasPrefix("market wallet check") { continue }
            // Rates come from the network.
            if line == "market rates fetch" { continue }
            // It stays until it is ended; its parts have tests of their own.
            if line.hasPrefix("market watch ") || line == "market watch" { continue }
            let run = await hub.run(line, console: ScriptedConsole(answers: ["y"]))
            #expect(run.exit == 0, "\(example): \(run.all)")
            count += 1
        }
        #expect(count > 50)
    }

    @Test func `a terminal writes numbers alike in every language`() async throws {
        let german = try MarketHub([#"market.providers = ["demo"]"#, "[hub]", #"locale = "de_DE""#])
        let own = try await MarketHub().run("market list --limit 2")
        let theirs = await german.run("market list --limit 2")
        #expect(own.exit == 0 && own.output.contains(",") && own.output == theirs.output)
    }

    @Test func `the board has rank, name, price and changes, and names its source`() async throws {
        let hub = try MarketHub()
        let run = await hub.run("market list --limit 2")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("#  COIN  ") && lines[0].contains("PRICE USD"))
        #expect(lines[1].hasPrefix("1  Bitcoin (demo) BTC"))
        #expect(run.messages == "Demo data, not real prices, fetched 1 s ago. 2 of 250, more: --page 2\n")
        let second = await hub.run("market list --limit 2 --page 2 --plain=number,symbol")
        #expect(second.output == "3\tSOL\n4\tADA\n")
        let json = await hub.run("market list --limit 1 --json=id,currency,provider,attribution")
        #expect(
            json.output
                == #"[{"id":"demo:demo-1","currency":"usd","provider":"demo","attribution":"Demo data, not real prices"}]"#
                + "\n")
    }

    @Test func `any column sorts, stable and with unknown values last`() async throws {
        let hub = try MarketHub()
        for column in [
            "rank", "name", "symbol", "price", "change_1h", "change_24h", "change_7d", "volume", "market_cap",
        ] {
            let up = await hub.run("market list --sort \(column) --plain=id")
            let down = await hub.run("market list --sort \(column) --reverse --plain=id")
            let (first, second) = (up.output.split(separator: "\n"), down.output.split(separator: "\n"))
            #expect(first.count == 250 && Set(first) == Set(second) && first != second, "\(column)")
        }
        let names = await hub.run("market list --sort name --plain=name").output.split(separator: "\n")
        #expect(names == names.sorted { $0.lowercased() < $1.lowercased() })
    }

    /// Moment 9 of the manual.
    @Test func `the portfolio is exact and rounded once`() async throws {
        let hub = try MarketHub()
        await hub.run("market portfolio buy 0.5 btc --price 60000 --date 2026-01-03")
        await hub.run("market portfolio buy 0.1 eth --price 0.1 --fee 0.005 --date 2026-01-03")
        await hub.run("market portfolio buy 0.2 eth --price 0.1 --date 2026-01-04")
        let rows = await hub.run("market portfolio --json=coin,amount,cost")
        #expect(
            rows.output.contains(#"{"coin":"BTC","amount":"0.5","cost":"30000.00"}"#)
                // 0.015 + 0.02 is 0.035, rounded half up once.
                && rows.output.contains(#"{"coin":"ETH","amount":"0.3","cost":"0.04"}"#))
        let table = await hub.run("market portfolio")
        #expect(table.output.contains("total") && table.messages.contains("Cost by FIFO"))
        let sold = await hub.run("market portfolio sell 0.25 eth --price 1 --date 2026-02-01")
        #expect(sold.exit == 0)
        #expect(await hub.run("market portfolio gains --plain=year,gain").output == "2026\t0.22\n")
        #expect(await hub.run("market portfolio gains --basis average --plain=gain").output == "0.22\n")
        let oversold = await hub.run("market portfolio sell 9 eth --price 1")
        #expect(oversold.exit == 65 && oversold.messages.contains("0.05 are held"))
        await hub.run("undo")
        #expect(await hub.run("market portfolio gains --json").output == "[]\n")
    }

    @Test(arguments: [
        "market watchlist add eth", "market watchlist rm btc", "market alerts enable last",
        "market alerts disable last",
    ])
    func `a command that changes nothing offers nothing to undo`(line: String) async throws {
        let hub = try MarketHub()
        await hub.run("market watchlist add eth")
        await hub.run("market alerts new btc '> 1000000'")
        await hub.run(line)
        let history = await hub.run("history --plain=id").output
        let again = await hub.run(line).all
        #expect(!again.contains("Undo:") && !again.isEmpty, "\(again)")
        #expect(await hub.run("history --plain=id").output == history)
    }

    @Test func `numbers are read by the locale, and those with two readings are refused`() async throws {
        let hub = try MarketHub()
        for line in [
            "market portfolio buy 1,000 btc --price 1", "market portfolio buy 1 btc --price 42,000",
            "market convert 1,000 btc usd", "market alerts new btc '> 100,000'",
            "market portfolio buy 7,5 btc --price 1",
        ] {
            let run = await hub.run(line)
            #expect(run.exit == 64 && run.messages.contains("write "), "\(run.all)")
        }
        #expect(await hub.run("market alerts new btc '> 100,000'").messages.contains("write 100000 or 100"))
        #expect(
            await hub.run("market portfolio buy 1,000.5 btc --price 42,000.10").output.contains(
                "bought 1,000.5 BTC for 42,000.1 "))
        let german = try MarketHub([#"market.providers = ["demo"]"#, "[hub]", #"locale = "de_DE""#])
        #expect(
            await german.run("market portfolio buy 7,5 btc --price 1.234,5").output.contains(
                "bought 7.5 BTC for 1,234.5 "))
        #expect(await german.run("market portfolio buy 0.25 btc --price 10").exit == 0)
        let two = await german.run("market portfolio buy 1.000 btc --price 1")
        #expect(two.exit == 64 && two.messages.contains("write 1000 or 1"), "\(two.all)")
        #expect(await german.run("market alerts new btc '> 99,5'").output.contains("BTC > 99.5 USD"))
    }

    @Test func `nothing but zero is shown as zero, and no prices at all are a failure`() async throws {
        let hub = try MarketHub()
        let coin = await hub.run("market convert 0.0000000001 usd btc").output
        #expect(coin.firstMatch(of: /= 0\.0{10,}[1-9]\d{0,3} BTC/) != nil, "\(coin)")
        let money = await hub.run("market convert 0.00000001 btc usd").output
        #expect(money.firstMatch(of: /= 0\.000[1-9]\d{0,3} USD/) != nil, "\(money)")
        #expect(await hub.run("market convert 0 btc usd").output == "0 BTC = 0.00 USD\n")
        let new = try MarketHub()
        let nothing = await new.run("market list --offline")
        #expect(nothing.exit == 1 && nothing.all.contains("have been fetched yet"), "\(nothing.all)")
    }

    @Test func `gains name the sales that they leave out`() async throws {
        let hub = try MarketHub()
        try hub.write(
            "date,kind,token,amount,price\n2025-01-01,buy,btc,1,100\n2025-02-01,sell,btc,2,500\n2025-03-01,sell,btc,0.5,300\n"
                + "2024-05-01,sell,eth,1,9\n", to: "t.csv")
        await hub.run("market portfolio import \(hub.folder)/t.csv")
        let text = await hub.run("market portfolio gains")
        #expect(
            text.exit == 2 && text.messages.contains("the sale of 2 BTC on 2025-02-01 is left out: 1 BTC were held"),
            "\(text.all)")
        #expect(text.messages.contains("the sale of 1 ETH on 2024-05-01"))
        let json = await hub.run("market portfolio gains --json=year,gain,left_out")
        #expect(
            json.exit == 2
                && json.output
                    == #"[{"year":2025,"gain":"100.00","left_out":["2 BTC on 2025-02-01"]},\#n{"year":2024,"gain":"0.00","left_out":["1 ETH on 2024-05-01"]}]"#
                    + "\n",
            "\(json.output)")
        #expect(await hub.run("market portfolio list").messages.contains("the sale of 2 BTC on 2025-02-01"))
    }

    @Test func `a trade is corrected, and not so that more is sold than held`() async throws {
        let hub = try MarketHub()
        await hub.run("market portfolio buy 2 btc --price 100 --date 2025-01-01 --time 16:20")
        await hub.run("market portfolio sell 1 btc --price 300 --date 2025-02-01")
        let columns = "--plain=date,time,kind,amount,price,fee,currency"
        let run = await hub.run("market portfolio edit last --price 250.5 --fee 2 --time 08:26:05")
        #expect(
            run.exit == 0 && run.output.contains("sold 1 BTC for 250.5 USD each on 2025-02-01 at 08:26:05"),
            "\(run.all)")
        #expect(
            await hub.run("market portfolio history \(columns)").output
                == "2025-01-01\t16:20\tbuy\t2\t100\t0\tusd\n2025-02-01\t08:26:05\tsell\t1\t250.5\t2\tusd\n")
        let first = await hub.run("market portfolio history --plain=id").output.prefix { $0 != "\n" }
        let less = await hub.run("market portfolio edit \(first) --amount 0.5")
        #expect(
            less.exit == 65 && less.messages.contains("1 BTC cannot be sold on 2025-02-01: 0.5 are held"), "\(less.all)"
        )
        #expect(await hub.run("market portfolio edit \(first) --date 2025-01-02").exit == 0)
        #expect(await hub.run("market portfolio history --plain=date,time --limit 1").output == "2025-01-02\t\n")
        await hub.run("undo")
        #expect(await hub.run("market portfolio history --plain=date,time --limit 1").output == "2025-01-01\t16:20\n")
        let same = await hub.run("market portfolio edit \(first) --amount 2")
        #expect(same.output == "Nothing changed\n", "\(same.all)")
        #expect(await hub.run("market portfolio edit \(first)").exit == 64)
        #expect(await hub.run("market portfolio buy 1 btc --price 1 --time 24:00").exit == 64)
    }

    @Test func `sales are listed with the purchases that they used`() async throws {
        let hub = try MarketHub()
        try hub.write(
            "date,kind,token,amount,price,fee\n2024-01-01,buy,btc,1,100,0\n2025-02-01,buy,btc,1,150,1\n"
                + "2025-03-01,sell,btc,1.5,300,3\n2026-01-05,sell,btc,0.5,200,0\n2026-02-05,sell,btc,9,1,0\n",
            to: "t.csv")
        await hub.run("market portfolio import \(hub.folder)/t.csv")
        let columns = "sold,acquired,held_days,amount,proceeds,cost,fee,gain"
        let plain = await hub.run("market portfolio report --year 2025 --plain=\(columns)")
        #expect(
            plain.output
                == "2025-03-01\t2024-01-01\t425\t1\t298.00\t100.00\t2.00\t198.00\n"
                + "2025-03-01\t2025-02-01\t28\t0.5\t149.00\t75.50\t1.00\t73.50\n" && plain.exit == 0, "\(plain.all)")
        #expect(await hub.run("market portfolio gains --plain=year,gain").output == "2026\t24.50\n2025\t271.50\n")
        let table = await hub.run("market portfolio report --basis average --year 2025")
        #expect(table.output.contains("various") && table.output.contains("total"), "\(table.all)")
        let all = await hub.run("market portfolio report --as csv --basis lifo")
        #expect(all.exit == 2 && all.messages.contains("the sale of 9 BTC on 2026-02-05 is left out"), "\(all.all)")
        let lines = all.output.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(lines.map { $0[1] } == ["acquired", "2025-02-01", "2024-01-01", "2024-01-01"], "\(all.output)")
        #expect(
            try #require(lines.dropFirst().first)[6...11].joined(separator: " ") == "298.00 151.00 2.00 147.00 USD LIFO"
        )
    }

    @Test func `an export that is imported again doubles nothing, and an edited line changes its trade`() async throws {
        let hub = try MarketHub()
        await hub.run("market portfolio buy 1 btc --price 5 --date 2024-01-01")
        try hub.write(
            "date,kind,symbol,amount,price\n2024-03-11T16:20:00Z,sell,ETH,2,2150\n2024-03-11T08:05:00Z,buy,ETH,2,2000\n",
            to: "t.csv")
        #expect(await hub.run("market portfolio import \(hub.folder)/t.csv").all.contains("2 new"))
        #expect(await hub.run("market portfolio gains --plain=gain").output == "300.00\n")
        let exported = await hub.run("market portfolio export").output
        try hub.write(exported, to: "e.csv")
        let path = "\(hub.folder)/e.csv"
        #expect(await hub.run("market portfolio import \(path)").all.contains("0 new, 0 updated, 3 unchanged"))
        // Also by other columns, and without the ids of the trades.
        try hub.write(
            "date,kind,symbol,amount,price\n2024-01-01,buy,BTC,1,5\n2024-01-01,buy,BTC,1,5\n", to: "typed.csv")
        let typed = await hub.run("market portfolio import \(hub.folder)/typed.csv")
        #expect(typed.all.contains("1 new, 0 updated, 1 unchanged"), "\(typed.all)")
        await hub.run("undo")
        try hub.write(exported.replacing("BTC,1,5,", with: "BTC,1,7,"), to: "e.csv")
        #expect(await hub.run("market portfolio import \(path)").all.contains("0 new, 1 updated, 2 unchanged"))
        #expect(await hub.run("market portfolio history btc --plain=price").output == "7\n")
        await hub.run("undo")
        #expect(await hub.run("market portfolio history btc --plain=price").output == "5\n")
        // Another store takes it without the network.
        let other = try MarketHub()
        try hub.write(exported, to: "e.csv")
        let offline = await other.run("market portfolio import --offline \(path)")
        #expect(offline.exit == 0 && offline.all.contains("3 new"), "\(offline.all)")
        #expect(await other.run("market portfolio gains --plain=gain").output == "300.00\n")
        #expect(await other.run("market portfolio export").output == exported)
    }

    @Test func `every kind of entry is recorded, exported and read again`() async throws {
        let hub = try MarketHub()
        try hub.write("Date,USD,JPY,\n2026-01-02,1.25,150,\n2026-02-02,1.5,N/A,\n", to: "rates.csv")
        let lines = [
            "buy 2 eth --price 1000 --currency eur --date 2026-01-03 --place kraken --tag core --note \"first, of two\"",
            "swap 1 eth 0.5 btc --total 1600 --fee 0.01 --fee-in eth --fee-value 16 --date 2026-02-02 --place kraken",
            "transfer 0.4 btc --from kraken --to ledger --fee 0.001 --fee-in btc --fee-value 3 --date 2026-02-03",
            "income 0.1 btc --source staking --price 3000 --date 2026-02-04 --time 10:20 --place ledger",
            "gift received 5 ada --date 2026-02-05 --portfolio kids",
            "gift given 0.1 btc --date 2026-02-06 --place ledger",
            "loss 0.05 btc --date 2026-02-07 --place ledger",
            "fee 0.01 btc --price 3100 --date 2026-02-08 --place ledger",
            "buy 3 ada --unknown-price --date 2026-02-09",
        ]
        for line in lines {
            let run = await hub.run("market portfolio \(line)")
            #expect(run.exit == 0, "\(line): \(run.all)")
        }
        #expect(
            await hub.run("market rates import \(hub.folder)/rates.csv").output.hasPrefix("2 currencies, 2026-01-02 to")
        )
        let again = await hub.run("market rates import \(hub.folder)/rates.csv")
        #expect(again.output.contains(": 0 new or changed rates"), "\(again.all)")
        let sales = await hub.run("market portfolio sales --plain=kind,amount,proceeds,cost,gain")
        #expect(
            sales.output == """
                swap\t1\t1584.00\t1250.00\t334.00
                fee\t0.01\t16.00\t12.50\t3.50
                fee\t0.001\t3.00\t3.20\t-0.20
                gift\t0.1\t320.00\t320.00\t0.00
                loss\t0.05\t0.00\t160.00\t-160.00
                fee\t0.01\t31.00\t32.00\t-1.00

                """, "\(sales.all)")
        let gains = await hub.run("market portfolio gains --plain=gain,income,unknown")
        #expect(gains.output == "176.30\t300.00\t0\n" && gains.exit == 0, "\(gains.all)")
        let euros = await hub.run("market portfolio gains --currency eur --plain=gain")
        #expect(euros.output == "-50.80\n", "\(euros.all)")
        let places = await hub.run("market portfolio list --place ledger --plain=coin,amount,cost")
        #expect(places.output.contains("BTC\t0.34\t1068.00"), "\(places.all)")
        let unknown = await hub.run("market portfolio list --plain=coin,amount,cost,unknown_cost_amount")
        #expect(unknown.output.contains("ADA\t8\t\t8\n") && unknown.messages.contains("the cost of 8 ADA is not known"))
        #expect(await hub.run("market portfolio list --portfolio kids --plain=coin,amount").output == "ADA\t5\n")
        #expect(await hub.run("market portfolio history --tag core --plain=note").output == "first, of two\n")
        #expect(await hub.run("market portfolio list --tag core --basis average").exit == 64)
        let exported = await hub.run("market portfolio export").output
        try hub.write(exported, to: "e.csv")
        #expect(
            await hub.run("market portfolio import \(hub.folder)/e.csv").all.contains("0 new, 0 updated, 9 unchanged"))
        let other = try MarketHub()
        let taken = await other.run("market portfolio import --offline \(hub.folder)/e.csv")
        #expect(taken.all.contains("9 new"), "\(taken.all)")
        #expect(await other.run("market portfolio export").output == exported)
        // A copy without ids, of another store, adds nothing either.
        let bare = exported.split(separator: "\r\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).enumerated().map {
                $0 == 8 && !line.hasPrefix("date") ? "" : $1
            }
            .joined(separator: ",")
        }
        try hub.write(bare.joined(separator: "\n"), to: "bare.csv")
        let copy = await other.run("market portfolio import --offline \(hub.folder)/bare.csv")
        #expect(copy.all.contains("0 new, 0 updated, 9 unchanged"), "\(copy.all)")
    }

    @Test func `entries are refused that cannot be, and corrected`() async throws {
        let hub = try MarketHub()
        await hub.run("market portfolio buy 1 btc --price 100 --date 2026-01-03 --place a")
        for (line, code, words) in [
            ("transfer 1 btc", 64, "from one place to another"),
            ("transfer 1 btc --from a --to a", 65, "from one place"),
            ("swap 1 btc 2 btc --date 2026-01-04", 65, "which other token"), ("loss 2 btc", 65, "2 BTC cannot be lost"),
            ("buy 1 btc --price 1 --total 2", 64, "only one of"),
            ("buy 1 btc --price 1 --fee-in eth", 64, "--fee-in needs"),
            ("buy 1 btc --date 2026-01-03", 64, "--unknown-price"),
            ("edit last --kind loss --price 3", 65, "have no price"),
        ] {
            let run = await hub.run("market portfolio \(line)")
            #expect(run.exit == Int32(code) && run.messages.contains(words), "\(line): \(run.all)")
        }
        let edit = await hub.run(
            "market portfolio edit last --unknown-price --fee 0.01 --fee-in eth --place b --portfolio p --note n")
        #expect(edit.exit == 65 && edit.messages.contains("ETH cannot be paid as a fee"), "\(edit.all)")
        await hub.run("market portfolio edit last --unknown-price --place b --portfolio p --note n")
        let columns = "--plain=price,place,portfolio,note"
        #expect(await hub.run("market portfolio history \(columns)").output == "\tb\tp\tn\n")
        await hub.run("undo")
        #expect(await hub.run("market portfolio history \(columns)").output == "100\ta\t\t\n")
        await hub.run("market portfolio tag last core")
        #expect(await hub.run("market portfolio tags --plain").output == "core\t1\n")
        await hub.run("undo")
        #expect(await hub.run("market portfolio history --plain=tags").output == "\n")
    }

    @Test func `lists keep their order, and changes of them can be undone`() async throws {
        let hub = try MarketHub()
        #expect(await hub.run("market watchlist add eth btc").output == "Added ETH, BTC to favorites. Undo: hub undo\n")
        #expect(await hub.run("market watchlist --plain=symbol").output == "ETH\nBTC\n")
        await hub.run("market watchlist add ada --at 1")
        #expect(await hub.run("market watchlist --plain=symbol").output == "ADA\nETH\nBTC\n")
        #expect(await hub.run("market watchlist list --sort rank --plain=symbol").output == "BTC\nETH\nADA\n")
        await hub.run("market watchlist rm eth")
        #expect(await hub.run("market watchlist --plain=symbol").output == "ADA\nBTC\n")
        await hub.run("undo")
        #expect(await hub.run("market watchlist --plain=symbol").output == "ADA\nETH\nBTC\n")
        #expect(await hub.run("market watchlist rm sol").exit == 1)
        #expect(await hub.run("market watchlist list --all --plain=name,count").output == "favorites\t3\n")
    }

    @Test func `a chart has its prices at the left and its times below`() async throws {
        let hub = try MarketHub()
        await hub.run("market list")
        // The clock stands on 21 September 2026.
        for (days, first, last) in [
            ("1", "14:13", "14:13"), ("7", "14 Sep", "21 Sep"), ("max", "Sep 2016", "Sep 2026"),
        ] {
            var changes: Set<String> = []
            for form in ["", " --candles"] {
                let run = await hub.run("market chart btc --days \(days)\(form)")
                let lines = run.output.split(separator: "\n")
                #expect(run.exit == 0 && lines.count == 14, "\(run.all)")
                let times = lines[13].split(separator: "  ").map { $0.drop { $0 == " " } }
                #expect(times.first.map(String.init) == first && (times.count > 1 || !form.isEmpty), "\(times)")
                #expect(times.allSatisfy { days != "7" || $0.hasSuffix(" Sep") } && times.last.map(String.init) != last)
                changes.insert(lines[0].split(separator: ",").last.map(String.init) ?? "")
            }
            #expect(changes.count == 1, "a chart has one change, however it is drawn: \(changes)")
        }
    }

    @Test func `prices of a chart are decimals, as all prices are`() async throws {
        let hub = try MarketHub()
        await hub.run("market list")
        let run = await hub.run("market chart btc --days 7 --candles --json=price,open,high,low")
        let rows = try #require(try JSONReader.read(Array(run.output.utf8)).array, "\(run.all)")
        #expect(!rows.isEmpty)
        for name in ["price", "open", "high", "low"] {
            #expect(rows.allSatisfy { $0[name]?.string.flatMap { BigDecimal($0) } != nil }, "\(name)")
        }
    }

    @Test func `a file of ticker, of cointop or a table is imported once`() async throws {
        let hub = try MarketHub()
        try hub.write(
            "date,kind,token,amount,price,fee,currency\n2026-01-03,buy,btc,0.5,42000,12,USD\n"
                + "2026-02-03,sell,btc,x,1,,\n2026-02-03,buy,none,1,1,,\n", to: "trades.csv")
        let path = hub.folder + "/trades.csv"
        let first = await hub.run("market portfolio import \(path)")
        #expect(first.exit == 2 && first.all.contains("1 new, 0 updated, 0 unchanged, 2 skipped"), "\(first.all)")
        let again = await hub.run("market portfolio import \(path)")
        #expect(again.all.contains("0 new, 0 updated, 1 unchanged, 2 skipped"))
        try hub.write(
            "[favorites]\nnames = [\"Bitcoin\"]\n[portfolio]\nholdings = [[\"Ethereum (demo)\", \"2\", \"100\", \"USD\"]]\n",
            to: "config.toml")
        let cointop = await hub.run("market portfolio import \(hub.folder)/config.toml")
        #expect(cointop.exit == 0 && cointop.all.contains("2 new"), "\(cointop.all)")
        #expect(await hub.run("market watchlist --plain=symbol").output == "BTC\n")
        // What hub has no prices of is named with its line, and a list names all that it lacks at once.
        try hub.write(
            "watchlist:\n  - NET\n  - BTC.X\n  - TEAM\nlots:\n  - symbol: ABNB\n    quantity: 1\n    unit_cost: 5\n",
            to: "ticker.yaml")
        let stocks = await hub.run("market portfolio import \(hub.folder)/ticker.yaml")
        #expect(stocks.exit == 2 && stocks.all.contains("ticker.yaml:6:1  no token named \"ABNB\"\n"), "\(stocks.all)")
        #expect(stocks.all.contains("list ticker: no token named \"NET\", \"TEAM\"\n"), "\(stocks.all)")
        #expect(stocks.all.contains("hub has prices of crypto tokens only"))
        #expect(await hub.run("market watchlist list --list ticker --plain=symbol").output == "BTC\n")
        await hub.run("undo")
        let written = await hub.run("market portfolio export")
        #expect(written.output.contains("2026-01-03,buy,demo:demo-1,BTC,0.5,42000,12,USD,"))
        // The export is read back as the same trades.
        try hub.write(written.output, to: "back.csv")
        let other = try MarketHub()
        await other.run("market list")
        #expect(await other.run("market portfolio import \(hub.folder)/back.csv").all.contains("2 new"))
        #expect(await other.run("market portfolio export").output.split(separator: "\n").count == 3)
    }
}
