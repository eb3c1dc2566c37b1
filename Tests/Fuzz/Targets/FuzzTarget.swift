import ContactsDomain

/// A parser of outside bytes, to be given any input at all.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case card
    case quotedPrintable = "quoted-printable"
    case csv, ldif, jcard, icalendar, config, json, changeset, dns
    case requestTarget = "request-target"
    case href
    case marketPage = "market-page"
    case marketSignal = "market-signal"
    case portfolioFile = "portfolio-file"
    case markdown, tar
    case noteFrame = "note-frame"
    case textLog = "text-log"
    case noteApp = "note-app"
    case tasks, xml, dbus
    case webSocket = "web-socket"
    case recorder, sound, firmware, transcript

    /// Gives `input` to the parser and to the writer beside it.
    ///
    /// Returns the property that the input breaks, such as "what was written is read as it was"; nil when all of them hold.
    package func brokenProperty(_ input: [UInt8]) -> String? {
        switch self {
        case .card: CardFuzzing.card(input)
        case .quotedPrintable: CardFuzzing.quotedPrintable(input)
        case .csv: TableFuzzing.csv(input)
        case .ldif: TableFuzzing.addressBook(input, .ldif)
        case .jcard: TableFuzzing.jcard(input)
        case .icalendar: CalendarFuzzing.calendar(input)
        case .config: ConfigFuzzing.config(input)
        case .json: JSONFuzzing.json(input)
        case .changeset: ProtocolFuzzing.changeset(input)
        case .dns: ProtocolFuzzing.dns(input)
        case .requestTarget: ProtocolFuzzing.requestTarget(input)
        case .href: ProtocolFuzzing.href(input)
        case .marketPage: MarketFuzzing.page(input)
        case .marketSignal: MarketFuzzing.signal(input)
        case .portfolioFile: MarketFuzzing.portfolio(input)
        case .markdown: NotesFuzzing.markdown(input)
        case .tar: NotesFuzzing.archive(input)
        case .noteFrame: NotesFuzzing.frame(input)
        case .textLog: NotesFuzzing.log(input)
        case .noteApp: NotesFuzzing.noteApp(input)
        case .tasks: CalendarFuzzing.tasks(input)
        case .xml: MessageFuzzing.xml(input)
        case .dbus: MessageFuzzing.dbus(input)
        case .webSocket: MessageFuzzing.webSocket(input)
        case .recorder: RecorderFuzzing.connection(input)
        case .sound: RecorderFuzzing.sound(input)
        case .firmware: RecorderFuzzing.firmware(input)
        case .transcript: RecorderFuzzing.transcript(input)
        }
    }
}
