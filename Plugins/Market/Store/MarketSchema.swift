package import Storage

/// The tables of Market.
///
/// Facts of the user are lists, trades and alerts. Tokens, places and prices are what providers said last: they stay after the
/// process, so that a board can be shown offline with its names and its order, and are never undone. A price belongs to one
/// provider and one currency. `token` is the text of a ``TokenKey``.
package enum MarketSchema {
    /// The schema; `announce` publishes events for changes made by undo and redo.
    package static func schema(announce: @escaping PluginSchema.EntityHandler) -> PluginSchema {
        PluginSchema(
            owner: "market",
            migrations: [
                Migration("0001-market", tables), Migration("0002-rows-and-times", rowsAndTimes),
                Migration("0003-tokens-in-sight", tokensInSight), Migration("0004-coins", coins),
                Migration("0005-closes", closes),
                Migration("0006-ledger", ledger), Migration("0007-rate-versions", rateVersions),
                Migration("0008-contracts", contracts), Migration("0009-one-rank", oneRank),
            ],
            recorded: [
                RecordedTable("market_watch", subject: "list"), RecordedTable("market_trade", subject: "id"),
                RecordedTable("market_alert", subject: "id"), RecordedTable("market_link", subject: "token"),
            ], documents: MarketDocuments.all, announce: announce)
    }

    private static let rowsAndTimes = """
        ALTER TABLE market_interest ADD COLUMN first INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE market_trade ADD COLUMN time INTEGER CONSTRAINT time_form CHECK (time BETWEEN 0 AND 86399);
        """

    private static let tokensInSight = "ALTER TABLE market_interest ADD COLUMN tokens TEXT NOT NULL DEFAULT ''"

    private static let coins = """
        CREATE TABLE market_link (
            token TEXT PRIMARY KEY,
            coin TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX market_link_coin ON market_link(coin);
        CREATE TABLE market_match (
            token TEXT PRIMARY KEY,
            coin TEXT NOT NULL,
            rule TEXT NOT NULL CONSTRAINT rule_word CHECK (rule IN ('id', 'name'))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX market_match_coin ON market_match(coin);
        """

    private static let closes = """
        CREATE TABLE market_close (
            token TEXT NOT NULL,
            currency TEXT NOT NULL,
            day INTEGER NOT NULL,
            close REAL NOT NULL,
            PRIMARY KEY (token, currency, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_close_range (
            token TEXT NOT NULL,
            currency TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (token, currency)
        ) STRICT, WITHOUT ROWID;
        """

    // The columns of a trade keep their order, in which the history of older changes has them. A price of one token and a total
    // exclude each other; without both, what the tokens were worth is not known. `market_rate` has units for one euro.
    private static let ledger = """
        CREATE TABLE market_trade_new (
            id TEXT PRIMARY KEY,
            token TEXT NOT NULL,
            kind TEXT NOT NULL CONSTRAINT kind_word CHECK (kind IN ('buy', 'sell', 'swap', 'transfer', 'income',
                'gift-received', 'gift-given', 'loss', 'fee')),
            amount TEXT NOT NULL,
            price TEXT,
            fee TEXT NOT NULL,
            currency TEXT NOT NULL,
            day TEXT NOT NULL CONSTRAINT day_form CHECK (date(day) IS day),
            source TEXT,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER,
            time INTEGER CONSTRAINT time_form CHECK (time BETWEEN 0 AND 86399),
            total TEXT CONSTRAINT one_value CHECK (total IS NULL OR price IS NULL),
            received_token TEXT,
            received_amount TEXT CONSTRAINT swap_form CHECK ((received_token IS NULL) = (received_amount IS NULL)),
            fee_token TEXT,
            fee_value TEXT,
            income TEXT,
            place TEXT NOT NULL DEFAULT '',
            destination TEXT NOT NULL DEFAULT '',
            portfolio TEXT NOT NULL DEFAULT '',
            note TEXT NOT NULL DEFAULT '',
            tags TEXT NOT NULL DEFAULT ''
        ) STRICT;
        INSERT INTO market_trade_new (rowid, id, token, kind, amount, price, fee, currency, day, source, revision,
            created_at, changed_at, deleted_at, time)
            SELECT rowid, id, token, kind, amount, price, fee, currency, day, source, revision, created_at, changed_at,
                deleted_at, time
            FROM market_trade;
        DROP TABLE market_trade;
        ALTER TABLE market_trade_new RENAME TO market_trade;
        CREATE INDEX market_trade_source ON market_trade(source) WHERE source IS NOT NULL;
        CREATE TABLE market_rate (
            currency TEXT NOT NULL,
            day INTEGER NOT NULL,
            units TEXT NOT NULL,
            PRIMARY KEY (currency, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_rate_fetch (url TEXT PRIMARY KEY, tried_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    private static let rateVersions = """
        ALTER TABLE market_rate_fetch ADD COLUMN etag TEXT;
        ALTER TABLE market_rate_fetch ADD COLUMN modified TEXT;
        """

    // The contracts of all tokens of a catalogue, as its list had them last.
    private static let contracts = """
        CREATE TABLE market_contract (
            token TEXT NOT NULL,
            chain TEXT NOT NULL,
            address TEXT NOT NULL,
            symbol TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (address, chain, token)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX market_contract_token ON market_contract(token);
        CREATE TABLE market_contract_fetch (
            catalogue TEXT PRIMARY KEY,
            tried_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_match_new (
            token TEXT PRIMARY KEY,
            coin TEXT NOT NULL,
            rule TEXT NOT NULL CONSTRAINT rule_word CHECK (rule IN ('contract', 'id', 'name'))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO market_match_new (token, coin, rule) SELECT token, coin, rule FROM market_match;
        DROP TABLE market_match;
        ALTER TABLE market_match_new RENAME TO market_match;
        CREATE INDEX market_match_coin ON market_match(coin);
        """

    // A token on a board has its rank there. `market_token.rank` is that of a token that was only searched for.
    private static let oneRank = """
        UPDATE market_token SET rank = NULL WHERE rank IS NOT NULL AND token IN (SELECT token FROM market_place);
        DROP INDEX market_place_token;
        CREATE INDEX market_place_token ON market_place(token, provider, currency);
        """

    private static let tables = """
        CREATE TABLE market_token (
            token TEXT PRIMARY KEY,
            symbol TEXT NOT NULL,
            name TEXT NOT NULL,
            image TEXT,
            rank INTEGER,
            folded TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX market_token_symbol ON market_token(symbol);
        CREATE TABLE market_price (
            provider TEXT NOT NULL,
            currency TEXT NOT NULL,
            token TEXT NOT NULL,
            time INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            mask INTEGER NOT NULL,
            fields TEXT NOT NULL,
            sparkline BLOB,
            PRIMARY KEY (provider, currency, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_place (
            provider TEXT NOT NULL,
            currency TEXT NOT NULL,
            place INTEGER NOT NULL,
            token TEXT NOT NULL,
            PRIMARY KEY (provider, currency, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX market_place_token ON market_place(provider, currency, token);
        CREATE TABLE market_source (
            provider TEXT NOT NULL,
            currency TEXT NOT NULL,
            fetched_at INTEGER NOT NULL,
            total INTEGER,
            is_complete INTEGER NOT NULL,
            dropped_rows INTEGER NOT NULL,
            lost_fields INTEGER NOT NULL,
            PRIMARY KEY (provider, currency)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_budget (
            provider TEXT PRIMARY KEY,
            calls TEXT NOT NULL,
            month INTEGER NOT NULL,
            month_calls INTEGER NOT NULL,
            blocked_until INTEGER,
            rate_limits INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_interest (
            reader TEXT PRIMARY KEY,
            rows INTEGER NOT NULL,
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_watch (
            list TEXT NOT NULL CONSTRAINT list_name CHECK (trim(list) <> ''),
            token TEXT NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (list, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE market_trade (
            id TEXT PRIMARY KEY,
            token TEXT NOT NULL,
            kind TEXT NOT NULL CONSTRAINT kind_word CHECK (kind IN ('buy', 'sell')),
            amount TEXT NOT NULL,
            price TEXT NOT NULL,
            fee TEXT NOT NULL,
            currency TEXT NOT NULL,
            day TEXT NOT NULL CONSTRAINT day_form CHECK (date(day) IS day),
            source TEXT,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER
        ) STRICT;
        CREATE INDEX market_trade_source ON market_trade(source) WHERE source IS NOT NULL;
        CREATE TABLE market_alert (
            id TEXT PRIMARY KEY,
            token TEXT NOT NULL,
            condition TEXT NOT NULL,
            currency TEXT NOT NULL,
            enabled INTEGER NOT NULL CONSTRAINT enabled_form CHECK (enabled IN (0, 1)),
            command TEXT,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER
        ) STRICT;
        CREATE TABLE market_alert_state (
            alert TEXT PRIMARY KEY,
            is_raised INTEGER NOT NULL,
            raised_at INTEGER,
            last_time INTEGER,
            last_price TEXT,
            samples TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
