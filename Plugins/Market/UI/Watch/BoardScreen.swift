import HubKit
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
    /// The first visible row, from 0.
    private(set) var first = 0
    /// The selected row, from 0.
    private(set) var selected = 0
    /// The number of rows of the whole list.
    private(set) var count = 0

    init(size: ScreenSize) { self.size = size }

    /// The number of visible rows: all lines but the heading and two below.
    var height: Int { max(size.rows - 3, 1) }

    /// The keys that sort, and their columns.
    private static let columns: [Character: LeaderboardOrder.Column] = [
        "#": .rank, "n": .name, "y": .symbol, "p": .price, "1": .change1h, "2": .change24h, "7": .change7d,
        "v": .volume, "m": .marketCap,
    ]

    /// Takes the number of rows; the selection stays within them.
    mutating func setCount(_ count: Int) {
        self.count = count
        select(selected)
    }

    /// Does what a key says.
    mutating func handle(_ key: ScreenKey) -> Action? {
        switch key {
        case .interrupt, .escape, .character("q"): return .quit
        case .up, .character("k"): select(selected - 1)
        case .down, .character("j"): select(selected + 1)
        case .pageUp, .left: page(-1)
        case .pageDown, .right, .character(" "): page(1)
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(count - 1)
        case .character("w"), .enter: return .toggleWatch
        case .character("W"), .character("\t"):
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
        let width: Int
        let style: @Sendable (RankedRow) -> TextStyle
        let text: @Sendable (RankedRow) -> String
        var isLeading = false
    }

    private static func columns(_ currency: Currency, width: Int) -> [Column] {
        func change(_ title: String, _ field: Price.Field, _ digits: Int) -> Column {
            Column(title: title, width: 10) {
                PriceFields.tone($0.row.value(field), digits)
            } text: {
                $0.row.value(field).map { PercentFormat.signed($0, fractionDigits: digits) } ?? FiatFormat.unknown
            }
        }
        let columns = [
            Column(title: "PRICE \(currency.name)", width: 16) { _ in
                .plain
            } text: {
                $0.row.value(.current).map { PriceFormat.column($0, currency) } ?? FiatFormat.unknown
            },
            change("24 H", .change24h, 2), change("7 D", .change7d, 1),
            Column(title: "MARKET CAP", width: 12) { _ in
                .plain
            } text: {
                $0.row.value(.marketCap).map(PriceFields.compact) ?? FiatFormat.unknown
            },
            Column(title: "VOLUME", width: 12) { _ in
                .plain
            } text: {
                $0.row.value(.volume24h).map(PriceFields.compact) ?? FiatFormat.unknown
            },
            Column(title: "7 DAYS", width: 11) { _ in
                .faint
            } text: {
                "  " + PriceFields.bars($0.row.sparkline)
            },
        ]
        var left = width - Self.minimumName
        return Array(
            columns.prefix { column in
                left -= column.width
                return left >= 0
            })
    }

    private static let minimumName = 26

    /// Returns the lines of the heading and the rows; `rows` are the visible ones, `watched` the keys of the watchlist.
    func lines(_ rows: [RankedRow], watched: Set<TokenKey>, currency: Currency) -> [[ScreenFrame.Piece]] {
        let columns = Self.columns(currency, width: size.columns)
        let nameWidth = max(size.columns - columns.reduce(0) { $0 + $1.width } - 7, 8)
        var heading = "     # " + fit("COIN", nameWidth)
        for column in columns { heading += column.title.leftPadded(to: column.width) }
        return [[ScreenFrame.Piece(heading, .strong)]]
            + rows.prefix(height).enumerated().map { index, item in
                let mark = first + index == selected ? ">" : " "
                let star = watched.contains(item.row.key) ? "*" : " "
                let number = (item.number.map(String.init) ?? "").leftPadded(to: 4)
                let name = fit("\(item.row.token.name) \(item.row.token.symbol)", nameWidth)
                return [ScreenFrame.Piece("\(mark)\(star)\(number) \(name)", mark == ">" ? .strong : .plain)]
                    + columns.map { ScreenFrame.Piece($0.text(item).leftPadded(to: $0.width), $0.style(item)) }
            }
    }

    /// Returns the two lines at the bottom: what stands in the way of fresh prices, and where they come from.
    func footer(_ view: BoardView?, now: Instant) -> [[ScreenFrame.Piece]] {
        guard let view else { return [[.init("loading…", .faint)], help] }
        let seen = view.rows.compactMap(\.row.time).max()
        let notes = OriginNotes.notes(view.origin, seen: seen, now: now)
        let warning = notes.first { $0.level == .warning }.map { "! \($0.text)" }
        let last = min(first + height, count)
        let place = count > 0 ? "\(first + 1) to \(last) of \(NumberFormat.grouped(count))" : "no tokens"
        let source = notes.first { $0.code == "source" }?.text ?? ""
        return [
            [.init(warning ?? "\(source). \(place), by \(order.column.rawValue)", warning == nil ? .faint : .warning)],
            help,
        ]
    }

    private var help: [ScreenFrame.Piece] {
        [.init("q quit  # n p 1 2 7 v m sort  r reverse  w watch  W list  arrows, space, g, G move  R refresh", .faint)]
    }

    /// The text cut by characters to a display width, and filled.
    private func fit(_ text: String, _ width: Int) -> String {
        var (result, used) = ("", 0)
        for character in text {
            let columns = DisplayWidth.of(character)
            guard used + columns <= width - 1 else { break }
            result.append(character)
            used += columns
        }
        return result.padded(to: width)
    }
}
