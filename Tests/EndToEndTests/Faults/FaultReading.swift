/// A command that only reads.
struct FaultReading: Sendable {
    /// The command line after `hub`.
    let line: String
    /// The exit codes that mean it did its work: 1 is for nothing found.
    let codes: Set<Int32>
    /// Whether its output is the same for the same state of the store, in each run of the session.
    let isState: Bool

    /// The words of the command line.
    var words: [String] { line.split(separator: " ").map(String.init) }

    /// Whether it notes who was looked up, so that they are found first the next time.
    var notesUse: Bool {
        [
            "show contacts:", "contacts show", "contacts query", "contacts email", "contacts phone",
            "contacts postaddress",
            "contacts qr", "contacts photo",
        ].contains { line.hasPrefix($0) }
    }

    private init(_ line: String, _ codes: Set<Int32>, isState: Bool) {
        self.line = line
        self.codes = codes
        self.isState = isState
    }

    /// The day whose tasks are read, whatever the day of the test is.
    static let day = "2026-01-05"

    /// Those whose outputs together show all that the session changes.
    static let state = [
        "contacts export", "contacts list --trash --json=name", "contacts accounts list --json=name",
        "mintee list --json=name,sets", "mintee today \(day) --json=name,value", "notes list --json=name,size_bytes",
        "dictofun list --trash --json=name,tags,length_ms", "dictofun list --json=name,tags,length_ms",
        "market portfolio history --json=date,time,kind,token,amount,price,total,fee,currency,place,note",
        "market alerts list --json=symbol,condition,state",
    ].map { FaultReading($0, [0], isState: true) }

    /// All other commands that read. Their outputs hold ids and times, or say again what those of `state` say.
    static let others =
        [
            "today", "contacts", "contacts list", "contacts tags", "contacts birthdays", "contacts dates",
            "contacts status",
            "contacts searches list",
            "contacts books list", "contacts groups list", "contacts duplicates", "contacts conflicts list",
            "contacts accounts list", "mintee",
            "mintee today", "mintee list", "mintee tags", "mintee check", "mintee analyses list",
            "mintee holidays list", "mintee export",
            "dictofun", "dictofun list", "dictofun tags", "dictofun status", "dictofun engines list",
            "dictofun devices list", "notes servers list", "notes templates list", "notes status",
            "notes server status",
            "notes server users list", "notes server audit", "mintee status", "mintee accounts list", "mintee theme",
            "history", "status",
            "status contacts", "doctor",
            "config list", "config check", "config path", "config schema", "trash list", "plugins list", "devices list",
            "api tokens list",
            "devices refused", "machines list", "machines refused", "plugins info contacts",
            "events list", "events dead list", "flows list", "version", "help contacts", "completion bash",
            "api describe",
            // `make new-plugin` adds the commands of a plugin above.
        ].map { FaultReading($0, [0], isState: false) }
        + [
            "search Ada", "show contacts:Ada", "contacts search Ada", "contacts show Ada", "contacts query Ada",
            "contacts email Ada", "contacts phone Ada", "contacts postaddress Ada", "contacts history Ada",
            "contacts diff Ada",
            "contacts conflicts show Ada", "contacts qr Ada", "contacts photo Ada", "mintee search Water",
            "mintee show Water", "mintee history Water", "mintee diff Water", "mintee analyses show Water",
            "mintee holidays show holidays",
            "dictofun search Ada", "dictofun show Ada", "dictofun export Ada", "dictofun firmware check Ada",
            "config get hub.region", "logs", "devices log phone",
        ].map { FaultReading($0, [0, 1], isState: false) }

    /// The commands that change something, ask a person, or need the network, the keyring or systemd; one that declares that it
    /// changes something need not be here.
    static let changing: Set<String> = [
        "contacts new", "contacts edit", "contacts set", "contacts rm", "contacts restore", "contacts tag",
        "contacts untag", "contacts import", "contacts accounts add", "contacts accounts edit", "contacts accounts rm",
        "contacts accounts test", "contacts books new", "contacts books rm", "contacts books clean",
        "contacts groups new",
        "contacts groups add",
        "contacts groups remove", "contacts groups rename", "contacts move", "contacts copy", "contacts merge",
        "contacts conflicts resolve", "mintee new", "mintee edit", "mintee rm", "mintee restore", "mintee done",
        "mintee set", "mintee up", "mintee down", "mintee skip", "mintee unskip", "mintee note", "mintee clear",
        "mintee pause", "mintee order",
        "mintee ask", "mintee tag",
        "mintee untag", "mintee analyses new", "mintee analyses edit", "mintee analyses rm", "mintee analyses restore",
        "mintee analyses order", "mintee import", "mintee accounts add", "mintee accounts edit", "mintee accounts rm",
        "mintee accounts test", "contacts sync", "mintee sync", "sync", "undo", "redo", "history prune", "config set",
        "config edit", "config init",
        // Each command of notes takes in the mirrored folder, and each view of the market stores what it fetched.
        "notes list", "notes search", "notes show", "notes new", "notes append", "notes edit", "notes rm",
        "notes restore", "notes tag", "notes untag", "notes tags", "notes pin", "notes unpin", "notes move",
        "notes links", "notes searches list", "notes history", "notes diff", "notes share", "notes unshare",
        "notes published",
        "notes requests list",
        "notes requests allow", "notes requests deny", "notes import", "notes export", "notes mirror",
        "notes servers add", "notes servers edit", "notes servers rm", "notes servers test", "notes sync",
        "notes attach", "notes attachments", "notes save", "notes detach", "notes watch", "notes serve", "notes unlock",
        "notes server users invite", "notes server instances", "notes server users rm", "notes server users limit",
        "notes server drain",
        "notes server migrate",
        "market list", "market watch", "market search", "market show", "market price", "market convert",
        "market chart", "market watchlist list", "market watchlist add", "market watchlist rm",
        "market portfolio list", "market portfolio buy", "market portfolio sell", "market portfolio edit",
        "market portfolio history", "market portfolio tags", "market rates list",
        "market portfolio gains", "market portfolio report", "market portfolio rm", "market portfolio restore",
        "market portfolio import",
        "market portfolio export", "market alerts list", "market alerts new", "market alerts enable",
        "market alerts disable", "market alerts test", "market alerts rm", "market alerts restore", "market sync",
        "market status", "market coins list", "market providers list", "market providers test",
        "market wallet accounts",
        "market wallet networks", "market wallet check", "market wallet plan",
        "dictofun edit", "dictofun set", "dictofun rm", "dictofun restore", "dictofun import", "dictofun tag",
        "dictofun untag",
        "dictofun transcribe", "dictofun play", "dictofun engines test", "dictofun scan", "dictofun pair",
        "dictofun unpair", "dictofun devices set", "dictofun test-fts", "dictofun firmware update",
        "dictofun firmware releases", "dictofun sync", "dictofun simulate", "backup", "restore", "serve",
        "demo", "mcp",
        "web", "trash restore", "trash empty", "plugins enable", "plugins disable",
        "secrets list", "secrets set", "secrets rm", "events tail", "events publish", "events dead retry",
        "events dead drop", "events prune", "flows enable", "flows disable", "service install", "service uninstall",
    ]
}
