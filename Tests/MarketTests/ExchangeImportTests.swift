import HubKitTesting
import Testing

/// Imports of exports of exchanges and trackers, on demo data.
struct ExchangeImportTests {
    private static let kraken = """
        "txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"
        "L9","W1","2024-06-10 09:00:00","withdrawal","","currency","XXBT",-0.0010,0.0001,0
        "L8","S1","2024-06-01 01:00:00","staking","","currency","ADA.S",5.0,0,105.0
        "L7","T4","2024-05-11 16:20:00","trade","","currency","XETH",-2.0,0,0
        "L6","T4","2024-05-11 16:20:00","trade","","currency","ZUSD",4300.0,0,4300
        "L5","T3","2024-05-11 08:05:00","trade","","currency","ZUSD",-4000.0,0,0
        "L4","T3","2024-05-11 08:05:00","trade","","currency","XETH",2.0,0,2.0
        "L3","T1","2024-03-19 19:43:31","trade","","currency","ZUSD",-100.0,0.18,899
        "L2","T1","2024-03-19 19:43:31","trade","","currency","XXBT",0.002,0,0.002
        "L1","D1","2024-01-05 12:00:00","deposit","","currency","ZUSD",1000.0,0,1000
        "L0","M1","2024-01-04 12:00:00","margin trade","","currency","XXBT",0.1,0,1000
        """
    private static let krakenTrades = """
        "txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"
        "T1","O1","XXBTZUSD","2024-03-19 19:43:31.1","buy","market",50000,100.00000,0.18000,0.00200000,0.0,"","L2,L3"
        """

    @Test func `an export of an exchange is imported once, whatever is imported and exported after it`() async throws {
        let hub = try MarketHub()
        try hub.write(Self.kraken, to: "k.csv")
        let path = "\(hub.folder)/k.csv"
        let plan = await hub.run("market portfolio import -n \(path)")
        let start =
            "k.csv: Kraken ledgers, 10 rows\n  buy 2, sell 1, transfer 1, income 1\n  left out: 1 of money alone\n"
        #expect(plan.all.hasPrefix(start) && plan.exit == 2, "\(plan.all)")
        let listed = "k.csv:11:1  the type \"margin trade\" is not known\n  \"L0\",\"M1\","
        #expect(plan.all.contains(listed), "\(plan.all)")
        #expect(plan.all.contains("5 new, 0 updated, 0 unchanged, 1 skipped. Nothing was changed"), "\(plan.all)")
        #expect(await hub.run("market portfolio import \(path)").all.contains("5 new, 0 updated, 0 unchanged"))
        // The newest row is first, and the purchase comes before the sale of the same day.
        #expect(await hub.run("market portfolio gains --plain=gain").output.contains("300.00\n"))
        let exported = await hub.run("market portfolio export").output
        // Again, as the other file of the same trades, and by hub's own export, with and without the network.
        try hub.write(Self.krakenTrades, to: "t.csv")
        try hub.write(exported, to: "own.csv")
        for (file, count) in [("k.csv", 5), ("t.csv", 1), ("own.csv", 5)] {
            for offline in ["", "--offline "] {
                let again = await hub.run("market portfolio import \(offline)\(hub.folder)/\(file)")
                #expect(again.all.contains("0 new, 0 updated, \(count) unchanged"), "\(file) \(again.all)")
            }
        }
        #expect(await hub.run("market portfolio export").output == exported)
        // A store that has the export alone knows the rows of the exchange too.
        let other = try MarketHub()
        try other.write(exported, to: "own.csv")
        try other.write(Self.kraken, to: "k.csv")
        #expect(await other.run("market portfolio import --offline \(other.folder)/own.csv").all.contains("5 new"))
        let rows = await other.run("market portfolio import --offline \(other.folder)/k.csv")
        #expect(rows.all.contains("0 new, 0 updated, 5 unchanged"), "\(rows.all)")
    }

    @Test func `files that overlap within a day lose no equal row`() async throws {
        let hub = try MarketHub()
        let header = "User_ID,UTC_Time,Account,Operation,Coin,Change,Remark\n"
        func row(_ time: String) -> String { "1,2025-01-10 \(time),Earn,Simple Earn Flexible Interest,ETH,0.004,\n" }
        try hub.write(header + row("01:00:00") + row("02:00:00"), to: "a.csv")
        try hub.write(header + row("03:00:00") + row("02:00:00"), to: "b.csv")
        #expect(await hub.run("market portfolio import \(hub.folder)/a.csv").all.contains("2 new"))
        let second = await hub.run("market portfolio import \(hub.folder)/b.csv")
        #expect(second.all.contains("1 new, 0 updated, 1 unchanged"), "\(second.all)")
    }

    @Test func `a table of any program is imported by its columns`() async throws {
        let hub = try MarketHub()
        try hub.write("When;What;Thing;Number;Paid;Unit\n2024-01-31;BUY;XYZ1;0,5;20.000,50;EUR\n", to: "o.csv")
        let line = "market portfolio import \(hub.folder)/o.csv"
        let unread = await hub.run(line)
        #expect(unread.exit != 0 && unread.all.contains("--map COLUMN=FIELD"), "\(unread.all)")
        let columns =
            "--map When=date --map What=kind --map Thing=symbol --map Number=amount --map Paid=total --map Unit=currency"
        let unknown = await hub.run("\(line) \(columns)")
        #expect(unknown.exit == 2 && unknown.all.contains("o.csv:2:1  no token named \"XYZ1\""), "\(unknown.all)")
        let named = await hub.run("\(line) \(columns) --token XYZ1=demo:demo-1")
        #expect(named.exit == 0 && named.all.hasPrefix("o.csv: mapped table, 1 row\n  buy 1\n"), "\(named.all)")
        #expect(await hub.run("market portfolio export").output.contains(",buy,demo:demo-1,BTC,0.5,"))
        #expect(await hub.run("\(line) --map Nope=date").all.contains("no column \"Nope\"; the columns are \"When\""))
        #expect(await hub.run("\(line) --map Thing=colour").all.contains("the fields are date, kind"))
        #expect(await hub.run("\(line) --as kraken").all.contains("it is not an export of kraken"))
        #expect(await hub.run("\(line) --as csv --map When=date").exit != 0)
    }

    @Test func `an id of a coin that nobody knows is kept, without a network`() async throws {
        let hub = try MarketHub()
        try hub.write(
            "Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note\n16-09-2021,some-coin,COINGECKO,USD,48,0.5,buy,1,First\n",
            to: "g.csv")
        let run = await hub.run("market portfolio import --offline \(hub.folder)/g.csv")
        #expect(run.exit == 0 && run.all.contains("1 new"), "\(run.all)")
        let export = await hub.run("market portfolio export").output
        #expect(export.contains("2021-09-16,buy,some-coin,SOME-COIN,0.5,"), "\(export)")
        #expect(await hub.run("market portfolio import --offline \(hub.folder)/g.csv").all.contains("1 unchanged"))
    }
}
