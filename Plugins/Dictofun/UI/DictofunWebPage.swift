import DictofunDomain
import HubKit

/// The page of voice records in the web app.
enum DictofunWebPage {
    static let declaration = PageDeclaration(
        name: "Voice memos",
        icon: #"<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3"/>"#,
        toolbar: PackageResources.toolbar_html, content: PackageResources.dictofun_html, modules: modules,
        styles: [("dictofun", PackageResources.dictofun_css)], firstUse: firstUse,
        additions: [QuickAddition("Voice memo", icon: "microphone", .open(path: "/dictofun"))],
        shares: [
            ShareTarget(
                "Import voice memos", icon: "microphone", path: "/api/dictofun/import",
                .files(["audio/*"], inPieces: true))
        ])

    private static let modules = [
        ("dictofun", PackageResources.dictofun_js),
        ("page", PackageResources.page_js),
        ("words", PackageResources.words_js),
        ("records", PackageResources.records_js),
        ("record", PackageResources.record_js),
        ("transcript", PackageResources.transcript_js),
        ("player", PackageResources.player_js),
        ("waveform", PackageResources.waveform_js),
        ("importing", PackageResources.importing_js),
        ("recording", PackageResources.recording_js),
        ("keptrecordings", PackageResources.keptrecordings_js),
        ("oggopus", PackageResources.oggopus_js),
        ("recorders", PackageResources.recorders_js),
        ("engines", PackageResources.engines_js),
    ]

    private static let firstUse = FirstUse(
        "Your voice memos",
        text: "Voice memos from a phone or a Dictofun recorder, with text that you can search and correct.",
        steps: [
            FirstUse.Step("Record or import a voice memo", path: "/dictofun"),
            FirstUse.Step("Pair a recorder", path: "/dictofun?view=recorders"),
        ]
    ) { (dictofun: DictofunPlugin) in
        try await dictofun.listRecords(RecordFilter(), limit: 1).total == 0
    }
}
