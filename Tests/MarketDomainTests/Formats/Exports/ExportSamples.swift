/// Files as other programs export them, with invented numbers and ids. Each has lines that no importer may book.
enum ExportSamples {
    /// Two lines of text come before the header; the newest row is first; money has its sign.
    static let coinbase = """
        Transactions
        User,Jo Doe,00000000-0000-0000-0000-000000000000

        ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
        a12,2025-11-19 08:00:00 UTC,Admin Debit,ADA,-1,EUR,€0.40,-€0.40,-€0.40,€0.00,
        a11,2025-11-18 08:00:00 UTC,Retail Staking Transfer,ETH,-0.5,EUR,€3000.00,-€1500.00,-€1500.00,€0.00,
        a10,2025-11-17 12:00:00 UTC,Send,BTC,-0.0250,EUR,€88000.00,-€2200.00,-€2200.00,€0.00,Sent 0.025 BTC to bc1qexample
        a9,2025-11-16 12:00:00 UTC,Pro Deposit,ADA,-10,EUR,€0.40,-€4.00,-€4.00,€0.00,
        a8,2025-05-01 10:00:00 UTC,Convert,SOL,0.7,EUR,€150.00,€105.00,€105.00,€0.00,Converted 0.03 ETH to 0.7 SOL
        a7,2025-05-01 10:00:00 UTC,Convert,ETH,-0.03,EUR,€3500.00,€105.00,€106.50,€1.50,Converted 0.03 ETH to 0.7 SOL
        a6,2025-04-09 10:00:00 UTC,Convert,ETH,0.2,EUR,€3500.00,€700.00,€700.00,,Converted 0.2 ETH to 0.2 ETH2
        a5,2025-04-05 10:00:00 UTC,Staking Income,ETH,0.01,EUR,€2000.00,€20.00,€20.00,€0.00,
        a4,2025-03-05 11:00:00 UTC,Advanced Trade Sell,ETH,-1,USD,$2500.00,$2500.00,$2495.00,$5.00,"Sold 1 ETH for 2,495.00 USDC on ETH-USDC at 2500 USDC/ETH"
        a3,2025-02-05 10:00:00 UTC,Sell,BTC,-0.002,EUR,"€95,000.00",€190.00,€189.24,€0.76,Sold 0.002 BTC for €189.24 EUR
        a2,2025-01-14 09:00:00 UTC,Buy,BTC,0.01,EUR,€90000.00,€900.00,€914.90,€14.90,Bought 0.01 BTC for € 914.90 EUR
        a1,2025-01-13 09:00:00 UTC,Deposit,EUR,1000,EUR,€1.00,€1000.00,€1000.00,€0.00,
        a0,2025-01-13 09:00:00 UTC,Receive,XLM,3,EUR,€0.30,€0.90,€0.90,€0.00,Received 3 XLM from Coinbase Earn
        """

    /// The oldest form: the currency is in the names of the columns, there are no ids, and all quantities are positive.
    static let oldCoinbase = """
        You can use this report, please, to inform yourself
        Timestamp,Transaction Type,Asset,Quantity Transacted,USD Spot Price at Transaction,USD Subtotal,USD Total (inclusive of fees),USD Fees,Notes
        2020-01-02T10:00:00Z,Buy,BTC,0.1,7000.00,700.00,710.00,10.00,Bought 0.1 BTC for $710.00 USD
        2020-02-02T10:00:00Z,Sell,BTC,0.05,9000.00,450.00,445.00,5.00,Sold 0.05 BTC for $445.00 USD
        2020-03-02T10:00:00Z,Send,BTC,0.01,9000.00,"","","",Sent 0.01 BTC to an address
        2020-04-02T10:00:00Z,Convert,BTC,0.02,7000.00,140.00,142.00,2.00,Converted 0.02 BTC to 1.1 ETH
        """

    static let krakenLedgers = """
        "txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance"
        "","FTD1","2024-01-05 11:59:00","deposit","","currency","ZEUR","spot / main",1000.0000,0,""
        "L01","FTD1","2024-01-05 12:00:00","deposit","","currency","ZEUR","spot / main",1000.0000,0,1000.0000
        "L02","T1","2024-03-19 19:43:31","trade","","currency","ZEUR","spot / main",-100.0000,0.1800,899.8200
        "L03","T1","2024-03-19 19:43:31","trade","","currency","XXBT","spot / main",0.0020000000,0,0.0020000000
        "L04","T2","2024-04-02 10:15:00.1234","trade","","currency","XLTC","spot / main",-1.0000000000,0,0.0772
        "L05","T2","2024-04-02 10:15:00.1234","trade","","currency","XETH","spot / main",0.0250,0.0001,0.0249
        "L06","Q1","2024-05-01 08:00:00","spend","","currency","ZEUR","spot / main",-50.0000,0,849.8200
        "L07","Q1","2024-05-01 08:00:00","receive","","currency","XXDG","spot / main",300.0,0,300.0
        "L08","S1","2024-06-01 01:00:00","staking","","currency","ADA.S","earn / bonded",5.0000000000,0,105.0
        "L09","E1","2024-06-02 01:00:00","earn","reward","currency","DOT28.S","earn / bonded",0.5000,0.1000,7.4
        "L10","E2","2024-06-03 01:00:00","earn","allocation","currency","DOT","earn / bonded",-7.0,0,0
        "L11","E2","2024-06-03 01:00:00","earn","allocation","currency","DOT28.S","earn / bonded",7.0,0,7.0
        "L12","W1","2024-06-10 09:00:00","withdrawal","","currency","XLTC","spot / main",-0.9212,0.0020,0.1540
        "L13","R1","2024-06-11 09:00:00","transfer","","currency","FLR","spot / main",150.0,0,150.0
        "L14","R2","2024-06-12 09:00:00","transfer","airdrop","currency","SGB","spot / main",40.0,0,40.0
        "L15","M1","2024-06-13 09:00:00","margin trade","","currency","ZUSD","spot / main",12.0,0.2,12.0
        "L16","T3","2024-06-14 09:00:00","trade","","currency","XXBT","spot / main",-0.001,0,0.009
        "L17","M2","2024-06-15 09:00:00","rollover","","currency","XXBT","spot / main",0,0.0001,0.0089
        """

    static let krakenTrades = """
        "txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"
        "T1","O1","XXBTZEUR","2024-03-19 19:43:31.1","buy","market",50000,100.00000,0.18000,0.00200000,0.0,"","L02,L03"
        "T9","O2","ADA/ETH","2024-03-20 19:43:31","sell","limit",0.0002,0.02,0.00005,100.0,0.0,"","L1,L2"
        "T8","O3","XBTUSD","2024-03-21 19:43:31","buy","limit",60000,60,0.1,0.001,12.0,"initiated","L1,L2"
        "T7","O4","ZZZ","2024-03-22 19:43:31","buy","limit",1,1,0,1,0,"",""
        """

    static let binanceStatements = """
        User_ID,UTC_Time,Account,Operation,Coin,Change,Remark
        1,2024-12-24 14:54:00,Spot,Transaction Spend,USDT,-199.56205,
        1,2024-12-24 14:54:00,Spot,Transaction Buy,DOGE,301,
        1,2024-12-24 14:54:00,Spot,Transaction Buy,DOGE,300,
        1,2024-12-24 14:54:00,Spot,Transaction Fee,BNB,-0.0006,
        1,2025-01-06 09:06:00,Spot,Transaction Revenue,EUR,99.9,
        1,2025-01-06 09:06:00,Spot,Transaction Fee,EUR,-0.0999,
        1,2025-01-06 09:06:00,Spot,Transaction Sold,BTC,-0.001,
        1,2025-01-07 10:00:00,Spot,Binance Convert,EUR,-9.28,
        1,2025-01-07 10:00:01,Spot,Binance Convert,BNB,0.0174,
        1,2025-01-08 09:32:03,Spot,Small Assets Exchange BNB,FET,-0.035,FET to BNB
        1,2025-01-08 09:32:03,Spot,Small Assets Exchange BNB,PEPE,-3057.06,PEPE to BNB
        1,2025-01-08 09:32:03,Spot,Small Assets Exchange BNB,BNB,0.000034,PEPE to BNB
        1,2025-01-08 09:32:03,Spot,Small Assets Exchange BNB,BNB,0.000063,FET to BNB
        1,2025-01-09 09:00:00,Spot,Deposit,ETH,1.5,
        1,2025-01-09 10:00:00,Spot,Withdraw,ETH,-0.5,Withdraw fee is included
        1,2025-01-10 00:00:00,Earn,Simple Earn Flexible Interest,ETH,0.004,
        1,2025-01-10 01:00:00,Earn,Simple Earn Flexible Subscription,ETH,-0.4,
        1,2025-01-11 00:00:00,Spot,Fiat Deposit,EUR,300,
        1,2025-01-12 00:00:00,Spot,P2P Trading,USDT,50,
        1,2025-01-13 00:00:00,USD-M Futures,Realized Profit and Loss,USDT,3,
        1,2025-01-14 00:00:00,Spot,Something New,USDT,3,
        1,2025-01-15 00:00:00,Spot,Transaction Buy,ADA,10,
        1,2025-01-15 00:00:00,Spot,Transaction Buy,XRP,10,
        1,2025-01-15 00:00:00,Spot,Transaction Spend,USDT,-20,
        """

    static let binanceTrades = """
        Date(UTC),Pair,Side,Price,Executed,Amount,Fee
        2024-03-28 13:01:36,SOLBUSD,SELL,110.03,0.1800000000SOL,19.8054BUSD,0.0198054BUSD
        2024-03-29 13:01:36,1INCHUSDT,BUY,0.5,101INCH,5USDT,0.0001BNB
        2024-03-30 13:01:36,BTCEUR,BUY,"42,000.00","0.05BTC","2,100.00EUR",0.00005BTC
        2024-03-31 13:01:36,BTCEUR,HOLD,1,1BTC,1EUR,0BTC
        """

    static let oldBinanceTrades = """
        Date(UTC);Market;Type;Price;Amount;Total;Fee;Fee Coin
        2018-01-05 10:00:00;ETHBTC;BUY;0.06;2;0.12;0.002;ETH
        2018-01-06 10:00:00;ADABNB;SELL;0.02;100;2;0.001;BNB
        """

    static let koinly = """
        Transaction report 2025

        Date,Type,Tag,Sending Wallet,Sent Amount,Sent Currency,Sent Cost Basis,Receiving Wallet,Received Amount,Received Currency,Received Cost Basis,Fee Amount,Fee Currency,Gain (EUR),Net Value (EUR),Fee Value (EUR),TxSrc,TxDest,TxHash,Description
        2025-01-10 09:00:00 UTC,buy,,Kraken,"1000,50",EUR,,Kraken,"0,01",BTC,"1000,50","1,50",EUR,,"1000,50","1,50",,,,First
        2025-01-11 09:00:00 UTC,exchange,,Kraken,"0,5",LUNA;1,"40,00",Kraken,"0,02",ETH,"50,00",,,"10,00","50,00",,,,,
        2025-01-12 09:00:00 UTC,transfer,,Kraken,"0,005",BTC,,Ledger,"0,005",BTC,,"0,0001",BTC,,"500,00",,,,,
        2025-01-13 09:00:00 UTC,crypto_deposit,Reward,,,,,Kraken,"5,00000000",SOL,50,,,,"500,00",,,,,
        2025-01-14 09:00:00 UTC,crypto_withdrawal,Lost,Ledger,"0,001",BTC,,,,,,,,,,,,,,
        2025-01-15 09:00:00 UTC,crypto_withdrawal,Gift,Ledger,"0,001",BTC,,,,,,,,,"90,00",,,,,For Max
        2025-01-16 09:00:00 UTC,crypto_deposit,,,,,,Ledger,"0,1",DOT,,,,,,,,,,
        2025-01-17 09:00:00 UTC,fiat_deposit,,,,,,Kraken,"1000,00",EUR,,,,,,,,,,
        2025-01-18 09:00:00 UTC,crypto_deposit,Margin loan,,,,,Kraken,"2,00",ETH,,,,,,,,,,
        2025-01-19 09:00:00 UTC,crypto_withdrawal,Cost,Ledger,"0,002",BTC,,,,,,,,,"180,00",,,,,
        """

    static let koinlyTemplate = """
        Koinly Date,Pair,Side,Amount,Total,Fee Amount,Fee Currency,Order ID,Trade ID
        2018-01-01 14:25 UTC,BTC-USD,Buy,1,1000,5,USD,,k1
        2018-01-01 14:45 UTC,BTC-USD,Sell,0.5,450,3,USD,,k2
        2018-01-01 14:46 UTC,BTC-USD,,0.5,450,3,USD,,
        """

    static let koinlySimple = """
        Koinly Date,Amount,Currency,Label,TxHash
        2019-01-05 10:00,20,BTC,mining,
        2019-01-06 10:00,-1,BTC,,
        2019-01-07 10:00,3,BTC,margin loan,
        """

    static let coinTracking = """
        "Type","Buy","Cur.","Sell","Cur.","Fee","Cur.","Exchange","Group","Comment","Date","Tx-ID"
        "Trade","0.00550000","BTC","500.00000000","EUR","19.00000000","EUR","Kraken","","first","2025-01-13 10:12:27",""
        "Trade","200.00000000","EUR","0.00220000","BTC","2.00000000","EUR","Kraken","","","2025-01-14 10:12:27",""
        "Trade","1.00000000","ETH","0.04000000","BTC","0.00100000","BNB","Binance","","","2025-01-15 10:12:27",""
        "Deposit","0.00100000","BTC","","","0.00000000","","Ledger","","","2025-01-16 10:12:27",""
        "Withdrawal","","","0.00100000","BTC","0.00010000","BTC","Kraken","","","2025-01-16 10:10:27",""
        "Staking","0.20003005","DFI","-","","-","","Cake","","","2025-01-17 09:17:37",""
        "Other Fee","","","0.00100000","BNB","","","Binance","","","2025-01-15 10:12:27",""
        "Lost","","","0.5","DOT","","","","","","2025-01-18 09:17:37",""
        "Gift/Tip","0.1","DOT","","","","","","","","2025-01-18 10:17:37",""
        "Margin Profit","5","USD","","","","","","","","2025-01-18 11:17:37",""
        "Deposit","5","EUR","","","","","Kraken","","","2025-01-18 12:17:37",""
        """

    /// The full table: values follow each currency, and dates are German.
    static let fullCoinTracking = """
        Type;Buy;Cur.;Value in BTC;Value in EUR;Sell;Cur.;Value in BTC;Value in EUR;Spread;Exchange;Group;Date
        Trade;1,5;FLR;-;0,04;0,03;USDT;-;0,04;0;SparkDEX;;26.03.2026 14:30:00
        Mining;0,25;BTC;0,25;20.000,00;-;-;-;-;-;;;02.03.2026 14:30
        """

    static let delta = """
        Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes
        2023-06-02 16:06:47-04:00,BUY,10,ETH,CRYPTO,0.6,BTC,Binance,,,0.1,BNB,,"ten
        of them"
        2023-06-01 23:31:54-04:00,SELL,100,SOL (Solana),CRYPTO,1800,USD,Kraken,,,2,USD,,
        2023-05-26 02:08:15Z,WITHDRAW,0.1,DOT (Polkadot),CRYPTO,,,,MY_WALLET,OTHER,0.001,DOT (Polkadot),,
        2023-05-25 02:08:15Z,TRANSFER,0.1,BTC,CRYPTO,,,,Kraken,Ledger,,,,
        2023-05-09 14:51:31Z,DEPOSIT,0.001,BTC,CRYPTO,,,,DIVIDENDS,MY_WALLET,,,,
        2023-05-08 15:00:00Z,BUY,5,AAPL,STOCK,1250,USD,Nasdaq,,,,,eToro,
        2023-05-08 15:00:00Z,DEPOSIT,5000,USD,FIAT,,,,,,,,eToro,
        2023-05-08 15:00:00Z,SLASHED,1,BTC,CRYPTO,,,,,,,,,
        """

    static let ghostfolio = """
        Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note
        01-09-2021,Account Opening Fee,MANUAL,USD,0,0,fee,49,
        16-09-2021,bitcoin,COINGECKO,USD,48000.5,0.5,buy,19.00,First
        17/11/2021,ETHUSD,YAHOO,EUR,4000,2,sell,0.00,
        20220102,BTC-EUR,YAHOO,EUR,40000,0.25,buy,1,
        16-09-2021,MSFT,YAHOO,USD,298.580,5,buy,19.00,
        16-09-2021,Flat,MANUAL,USD,1,1,valuable,0,
        """

    static let ghostfolioJSON = """
        {"meta":{"date":"2023-02-05T00:00:00.000Z","version":"dev"},
         "accounts":[{"id":"a1","name":"Cold wallet","currency":"USD"}],
         "activities":[
          {"accountId":"a1","comment":"First","fee":19,"quantity":0.5,"type":"BUY","unitPrice":48000.5,"currency":"USD",
           "dataSource":"COINGECKO","date":"2021-09-16T00:00:00.000Z","symbol":"bitcoin"},
          {"accountId":null,"comment":null,"fee":0,"quantity":1e-7,"type":"SELL","unitPrice":60000,"currency":"USD",
           "dataSource":"YAHOO","date":"2021-12-12T10:30:00.000Z","symbol":"BTCUSD"},
          {"accountId":null,"comment":null,"fee":0,"quantity":5,"type":"DIVIDEND","unitPrice":0.62,"currency":"USD",
           "dataSource":"YAHOO","date":"2021-11-17T00:00:00.000Z","symbol":"MSFT"},
          {"accountId":null,"comment":null,"fee":0,"quantity":1,"type":"LIABILITY","unitPrice":5,"currency":"USD",
           "dataSource":"MANUAL","date":"2021-11-17T00:00:00.000Z","symbol":"x"}]}
        """

    /// All of them, with the names of their formats.
    static let all = [
        ("Coinbase", coinbase), ("Coinbase", oldCoinbase), ("Kraken ledgers", krakenLedgers),
        ("Kraken trades", krakenTrades), ("Binance transaction history", binanceStatements),
        ("Binance trade history", binanceTrades), ("Binance trade history", oldBinanceTrades), ("Koinly", koinly),
        ("Koinly template", koinlyTemplate), ("Koinly template", koinlySimple), ("CoinTracking", coinTracking),
        ("CoinTracking", fullCoinTracking), ("Delta", delta), ("Ghostfolio", ghostfolio),
        ("Ghostfolio", ghostfolioJSON),
    ]
}
