import BigInteger
import Commands
import MarketDomain

/// The full screen of `hub market watch`: which part of the board it shows, and what each key does. It is a value without
/// effects.
struct BoardScreen: Hashable, Sendable {
    /// What a key asks for beyond the screen itself.
    enum Action: Hashable, Sendable {
        case quit
        /// Add the selected token to the list, or take it out.
        case toggleWatch
        case refresh
    }

    /// The size of the terminal.
    var size: ScreenSize
    /// The order of the rows.
    private(set) var order = LeaderboardOrder(.rank)
    /// Whether only tokens of the watchlist are shown.
    private(set) var showsWatchlist = false
    /// The words that names, symbols or ids must have, as they were typed.
    private(set) var filter = ""
    /// Whether keys go into the filter.
    private(set) var isTyping = false
    /// The first visible row, from 0.
    private(set) var first = 0
    /// The selected row, from 0.
    private(set) var selected = 0
    /// The number of rows of the whole list.
    private(set) var count = 0

    init(size: ScreenSize) { self.size = size }

    /// The number of visible rows: all lines but the heading and two below.
    var height: Int { max(size.rows - 3, 1) }

    /// The keys that sort, and their columns; those that cointop has are the same here.
    private static let columns: [Character: LeaderboardOrder.Column] = [
        "#": .rank, "n": .name, "s": .symbol, "y": .symbol, "p": .price, "1": .change1h, "2": .change24h,
        "7": .change7d,
        "v": .volume, "m": .marketCap,
    ]

    /// What is to be kept fresh: the rows in sight, and below them as many again, so that scrolling finds rows. In another
    /// order than that of ranks, which may take tokens from anywhere, the tokens in sight.
    func sight(_ rows: [RankedRow], hasMore: Bool) -> PricesInSight {
        guard order.column == .rank, !order.isDescending, !showsWatchlist, filter.isEmpty else {
            return rows.isEmpty ? PricesInSight(places: 0..<1) : PricesInSight(tokens: rows.map(\.key))
        }
        let end = hasMore ? first + 2 * height : min(first + 2 * height, count)
        return end > 0 ? PricesInSight(places: min(first, end)..<end) : PricesInSight(places: 0..<1)
    }

    /// Takes the number of rows; the selection stays within them.
    mutating func setCount(_ count: Int) {
        self.count = count
        select(selected)
    }

    /// Does what a key says.
    mutating func handle(_ key: ScreenKey) -> Action? {
        if isTyping, type(key) { return nil }
        switch key {
        case .escape where !filter.isEmpty: setFilter("")
        case .interrupt, .escape, .character("q"): return .quit
        case .character("/"): isTyping = true
        case .up, .character("k"): select(selected - 1)
        case .down, .character("j"): select(selected + 1)
        case .pageUp, .left: page(-1)
        case .pageDown, .right, .character(" "): page(1)
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(count - 1)
        case .character("w"), .character("f"), .enter: return .toggleWatch
        case .character("W"), .character("F"), .character("\t"):
            showsWatchlist.toggle()
            (first, selected) = (0, 0)
        case .character("r"): order = LeaderboardOrder(order.column, isDescending: !order.isDescending)
        case .character("R"): return .refresh
        case .character(let character):
            guard let column = Self.columns[character] else { return nil }
            order = order.choosing(column)
            (first, selected) = (0, 0)
        case .backspace: break
        }
        return nil
    }

    /// Takes a key of the filter; false for one that means the same as ever.
    private mutating func type(_ key: ScreenKey) -> Bool {
        switch key {
        case .character(let character): if filter.count < Self.longestFilter { setFilter(filter + [character]) }
        case .backspace where filter.isEmpty, .enter: isTyping = false
        case .backspace: setFilter(String(filter.dropLast()))
        case .escape:
            isTyping = false
            setFilter("")
        default: return false
        }
        return true
    }

    private static let longestFilter = 40

    private mutating func setFilter(_ text: String) {
        filter = text
        (first, selected) = (0, 0)
    }

    private mutating func select(_ row: Int) {
        selected = min(max(row, 0), max(count - 1, 0))
        if selected < first { first = selected }
        if selected >= first + height { first = selected - height + 1 }
        first = max(min(first, count - height), 0)
    }

    private mutating func page(_ direction: Int) {
        first = max(min(first + direction * height, count - height), 0)
        select(selected + direction * height)
    }

    // MARK: Drawing

    private struct Column {
        let title: String
        let order: LeaderboardOrder.Column?
        let width: Int
        var style: @Sendable (RankedRow) -> TextStyle = { _ in .plain }
        let text: @Sendable (RankedRow) -> String
    }

    /// The columns that fit beside the name, in their order; the price is always there.
    private static func columns(_ currency: Currency, width: Int) -> [Column] {
        func number(
            _ title: String, _ order: LeaderboardOrder.Column, width: Int,
            _ text: @escaping @Sendable (BigDecimal) -> String
        ) -> Column {
            Column(title: title, order: order, width: width) { item in
                order.field.flatMap { item.row.value($0) }.map(text) ?? FiatFormat.unknown
            }
        }
        func change(_ title: String, _ order: LeaderboardOrder.Column, _ digits: Int) -> Column {
            var column = number(title, order, width: 10) { PercentFormat.signed($0, fractionDigits: digits) }
            column.style = { item in PriceFields.tone(order.field.flatMap { item.row.value($0) }, digits) }
            return column
        }
        let sparkline = Column(title: "7 DAYS", order: nil, width: 11, style: { _ in .faint }) {
            "  " + PriceFields.bars($0.row.sparkline)
        }
        // The columns as they stand, each with its place among those that are given up last.
        let columns: [(importance: Int, column: Column)] = [
            (0, number("PRICE \(currency.name)", .price, width: 16) { PriceFormat.column($0, currency) }),
            (6, change("1 H", .change1h, 2)), (1, change("24 H", .change24h, 2)), (2, change("7 D", .change7d, 1)),
            (3, number("MARKET CAP", .marketCap, width: 12, PriceFields.compact)),
            (5, number("VOLUME", .volume, width: 12, PriceFields.compact)), (4, sparkline),
        ]
        var (left, kept) = (width - Self.rowStart - Self.leastName, 0)
        for (importance, column) in columns.sorted(by: { $0.importance < $1.importance }) {
            left -= column.width
            if left < 0, importance > 0 { break }
            kept = importance
        }
        return columns.filter { $0.importance <= kept }.map(\.column)
    }

    /// The columns of mark, star and number.
    private static let rowStart = 7
    private static let leastName = 18
    private static let greatestName = 36

    private func nameWidth(beside columns: [Column]) -> Int {
        let left = size.columns - columns.reduce(0) { $0 + $1.width } - Self.rowStart
        return min(max(left, 6), Self.greatestName)
    }

    /// Returns the lines of the heading and the rows; `rows` are the visible ones, `watched` the keys of the watchlist.
    func lines(_ rows: [RankedRow], watched: Set<TokenKey>, currency: Currency) -> [[ScreenFrame.Piece]] {
        let columns = Self.columns(currency, width: size.columns)
        let nameWidth = nameWidth(beside: columns)
        var heading = heading("#", .rank).leftPadded(to: 6) + " "
        heading += fit(order.column == .symbol ? self.heading("COIN", .symbol) : self.heading("COIN", .name), nameWidth)
        for column in columns { heading += self.heading(column.title, column.order).leftPadded(to: column.width) }
        return [[ScreenFrame.Piece(heading, .strong)]]
            + rows.prefix(height).enumerated().map { index, item in
                let mark = first + index == selected ? ">" : " "
                let star = watched.contains(item.key) ? "*" : " "
                let number = (item.number.map(String.init) ?? "").leftPadded(to: 4)
                let token = item.row.token
                // Where there is no room for a name, the symbol says more than its beginning.
                let room = nameWidth - 2 - DisplayWidth.of(token.symbol)
                let name = fit(nameWidth < 12 ? token.symbol : "\(cut(token.name, room)) \(token.symbol)", nameWidth)
                return [ScreenFrame.Piece("\(mark)\(star)\(number) \(name)", mark == ">" ? .strong : .plain)]
                    + columns.map { ScreenFrame.Piece($0.text(item).leftPadded(to: $0.width), $0.style(item)) }
            }
    }

    /// The title of a column, with the direction of the order by it; the order of ranks needs none.
    private func heading(_ title: String, _ column: LeaderboardOrder.Column?) -> String {
        guard column == order.column, order != LeaderboardOrder(.rank) else { return title }
        return (order.isDescending ? "▼" : "▲") + title
    }

    /// Returns the two lines at the bottom: what stands in the way of fresh prices, and where they come from.
    func footer(_ view: BoardView?, now: Instant) -> [[ScreenFrame.Piece]] {
        guard let view else { return [[.init("loading…", .faint)], help] }
        let seen = view.rows.shownAsOf
        let notes = OriginNotes.notes(view.origin, seen: seen, now: now)
        let warning = notes.first { $0.level == .warning }.map { fitted($0.text, age: seen.map { now - $0 }) }
        let last = min(first + height, count)
        let nothing = showsWatchlist ? "no token in the watchlist: W shows all, w adds one" : "no tokens"
        let found = count > 0 ? "\(first + 1) to \(last) of \(NumberFormat.grouped(count))" : nothing
        let place = filter.isEmpty ? found : "\(count > 0 ? found : "no token") with “\(filter)”"
        let source = notes.first { $0.code == "source" }?.text ?? ""
        return [
            [.init(warning ?? "\(source). \(place)", warning == nil ? .faint : .warning)],
            help,
        ]
    }

    /// A reason with the age of the prices; in a line that is too short for both the age comes first.
    private func fitted(_ text: String, age: Duration?) -> String {
        guard let age, DisplayWidth.of(text) + 2 > size.columns else { return "! \(text)" }
        return cut("! \(GatewayError.length(age)) old: \(text)", size.columns)
    }

    /// The filter while it is typed; else the keys, as many as fit, the most needed ones first.
    private var help: [ScreenFrame.Piece] {
        if isTyping { return [.init(fit("/\(filter)_  Enter keeps, Esc clears", size.columns), .strong)] }
        let keys = [
            "q quit", "/ filter", "# n p 1 2 7 m v sort", "r reverse", "w watch", "W watchlist", "R refresh",
            "arrows, space, g, G move",
        ]
        var line = keys[0]
        for key in keys.dropFirst() where line.count + 2 + key.count < size.columns { line += "  " + key }
        return [.init(line, .faint)]
    }

    /// The text cut to a column less the blank after it, and filled.
    private func fit(_ text: String, _ width: Int) -> String { cut(text, width - 1).padded(to: width) }

    /// The text cut by characters to a display width.
    private func cut(_ text: String, _ width: Int) -> String {
        var (result, used) = ("", 0)
        for character in text {
            used += DisplayWidth.of(character)
            guard used <= width else { break }
            result.append(character)
        }
        return result
    }
}
