import HubKitTesting
import Testing

/// Files of other programs through the store and back: nothing is added twice, and figures stay.
struct RoundTripTests {
    /// A file with a purchase, a sale, a swap, income and a transfer of demo coins, and how many entries it has.
    struct Sample: CustomTestStringConvertible {
        let testDescription: String
        let entries: Int
        let text: String
        /// The proceeds, the cost and the income of 2025 in dollars.
        let sums: String
    }

    /// All of them say the same: 2 ETH for 4,000 with a fee of 10, of which one is sold for 2,500 less 5 and a half becomes 0.01 BTC
    /// worth 1,000; income of 0.1 ETH, whose worth some say; 0.005 BTC move.
    private static let samples = [
        Sample(
            testDescription: "Coinbase", entries: 5,
            text: """
                ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
                c5,2025-05-01 12:00:00 UTC,Send,BTC,-0.005,USD,$100000.00,-$500.00,-$500.00,$0.00,Sent 0.005 BTC to bc1qexample
                c4,2025-04-05 10:00:00 UTC,Staking Income,ETH,0.1,USD,$2000.00,$200.00,$200.00,$0.00,
                c3,2025-03-05 10:00:00 UTC,Convert,ETH,-0.5,USD,$2000.00,$1000.00,$1000.00,$0.00,Converted 0.5 ETH to 0.01 BTC
                c2,2025-02-05 16:20:00 UTC,Sell,ETH,-1,USD,"$2,500.00","$2,500.00","$2,495.00",$5.00,Sold 1 ETH for $2495.00 USD
                c1,2025-02-05 08:05:00 UTC,Buy,ETH,2,USD,$2000.00,$4000.00,$4010.00,$10.00,Bought 2 ETH for $4010.00 USD
                """, sums: "3495.00\t3007.50\t200.00\n"),
        Sample(
            testDescription: "Koinly", entries: 5,
            text: """
                Transaction report 2025

                Date,Type,Tag,Sending Wallet,Sent Amount,Sent Currency,Sent Cost Basis,Receiving Wallet,Received Amount,Received Currency,Received Cost Basis,Fee Amount,Fee Currency,Gain (USD),Net Value (USD),Fee Value (USD),TxSrc,TxDest,TxHash,Description
                2025-05-01 12:00:00 UTC,transfer,,Exchange,0.005,BTC,,Ledger,0.005,BTC,,,,,500.00,,,,,
                2025-04-05 10:00:00 UTC,crypto_deposit,Reward,,,,,Exchange,0.1,ETH,,,,,200.00,,,,,
                2025-03-05 10:00:00 UTC,exchange,,Exchange,0.5,ETH,,Exchange,0.01,BTC,,,,,1000.00,,,,,
                2025-02-05 16:20:00 UTC,sell,,Exchange,1,ETH,,Exchange,2500.00,USD,,5.00,USD,,2500.00,5.00,,,,
                2025-02-05 08:05:00 UTC,buy,,Exchange,4000.00,USD,,Exchange,2,ETH,,10.00,USD,,4000.00,10.00,,,,First
                """, sums: "3495.00\t3007.50\t200.00\n"),
        Sample(
            testDescription: "CoinTracking", entries: 6,
            text: """
                "Type","Buy","Cur.","Sell","Cur.","Fee","Cur.","Exchange","Group","Comment","Date","Tx-ID"
                "Deposit","0.00500000","BTC","","","","","Ledger","","","2025-05-01 12:05:00",""
                "Withdrawal","","","0.00500000","BTC","","","Exchange","","","2025-05-01 12:00:00",""
                "Staking","0.10000000","ETH","","","","","Exchange","","","2025-04-05 10:00:00",""
                "Trade","0.01000000","BTC","0.50000000","ETH","","","Exchange","","","2025-03-05 10:00:00",""
                "Trade","2495.00000000","USD","1.00000000","ETH","5.00000000","USD","Exchange","","","2025-02-05 16:20:00",""
                "Trade","2.00000000","ETH","4010.00000000","USD","10.00000000","USD","Exchange","","first","2025-02-05 08:05:00",""
                """, sums: "2495.00\t2005.00\t0.00\n"),
        Sample(
            testDescription: "Delta", entries: 5,
            text: """
                Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes
                2025-05-01T12:00:00Z,TRANSFER,0.005,BTC,CRYPTO,,,,Exchange,Ledger,,,,
                2025-04-05T10:00:00Z,DEPOSIT,0.1,ETH,CRYPTO,,,,MINING,MY_WALLET,,,,
                2025-03-05T10:00:00Z,SELL,0.5,ETH,CRYPTO,0.01,BTC,Exchange,,,,,,
                2025-02-05T11:20:00-05:00,SELL,1,ETH,CRYPTO,2500,USD,Exchange,,,5,USD,,
                2025-02-05T08:05:00Z,BUY,2,ETH,CRYPTO,4000,USD,Exchange,,,10,USD,,"two
                lines"
                """, sums: "2495.00\t2005.00\t0.00\n"),
    ]

    /// What a person reads of a ledger.
    private func figures(_ hub: MarketHub) async -> [String] {
        var outputs: [String] = []
        for line in [
            "gains --plain=year,exact_proceeds,exact_cost,exact_income,unknown,unknown_income",
            "sales --plain=sold,acquired,symbol,amount,exact_proceeds,exact_cost,exact_fee",
            "list --per-place --plain=coin,amount,exact_cost,unknown_cost_amount",
            "history --plain=id,date,time,kind,symbol,amount,received_amount,total,fee,place,destination,note",
        ] { outputs.append(await hub.run("market portfolio \(line)").output) }
        return outputs
    }

    @Test(arguments: RoundTripTests.samples)
    func `a file goes through the store and back`(_ sample: Sample) async throws {
        let hub = try MarketHub()
        try hub.write(sample.text, to: "f.csv")
        let path = "\(hub.folder)/f.csv"
        let first = await hub.run("market portfolio import \(path)")
        #expect(first.exit == 0 && first.all.contains("\(sample.testDescription), "), "\(first.all)")
        #expect(first.all.contains("\(sample.entries) new, 0 updated, 0 unchanged"), "\(first.all)")
        let gains = await hub.run("market portfolio gains --plain=proceeds,cost,income")
        #expect(gains.output == sample.sums, "\(gains.all)")
        let known = await figures(hub)
        #expect(known.allSatisfy { !$0.isEmpty })
        let exported = await hub.run("market portfolio export").output
        try hub.write(exported, to: "own.csv")
        for file in ["f.csv", "own.csv"] {
            let again = await hub.run("market portfolio import --offline \(hub.folder)/\(file)")
            #expect(again.all.contains("0 new, 0 updated, \(sample.entries) unchanged"), "\(file): \(again.all)")
        }
        #expect(await hub.run("market portfolio export").output == exported)
        // A new store takes the export without a network, has the same figures, and knows the rows of the file.
        let other = try MarketHub()
        try other.write(exported, to: "own.csv")
        let taken = await other.run("market portfolio import --offline \(other.folder)/own.csv")
        #expect(taken.exit == 0 && taken.all.contains("\(sample.entries) new"), "\(taken.all)")
        #expect(await figures(other) == known)
        let rows = await other.run("market portfolio import \(path)")
        #expect(rows.all.contains("0 new, 0 updated, \(sample.entries) unchanged"), "\(rows.all)")
        #expect(await other.run("market portfolio export").output == exported)
    }
}
