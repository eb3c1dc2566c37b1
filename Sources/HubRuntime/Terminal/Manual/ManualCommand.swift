package import HubKit

/// The hidden command that writes the manual pages when hub is installed.
package enum ManualCommand {
    private static let folder = Argument<String>("DIR", help: "folder to write to, such as /usr/share/man/man1")

    /// `root` gives the whole tree, `others` the pages that are about no command, such as `hub-config.5`.
    package static func command(
        root: @escaping @Sendable () -> Command, version: String,
        others: @escaping @Sendable () -> [ManualPage] = { [] }
    ) -> Command {
        Command("__manual", summary: "write the manual pages", parameters: [folder], isHidden: true) {
            (_: any PluginHost, input: Input) in
            let pages = Manual.pages(root: root(), version: version) + others()
            if input.dryRun { return .done("Would write \(pages.count) manual pages to \(input[folder])") }
            for page in pages {
                let file = try AtomicFile(path: "\(input[folder])/\(page.fileName)")
                try file.write(Array(page.source.utf8))
                try file.commit()
            }
            return .done("Wrote \(pages.count) manual pages to \(input[folder])")
        }
    }
}
