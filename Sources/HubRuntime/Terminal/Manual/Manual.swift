package import Commands

/// The manual pages that the table of commands gives: `hub.1` and one page for each plugin.
package enum Manual {
    /// Returns all pages; `root` is the whole tree and `version` is in the footer.
    package static func pages(root: Command, version: String) -> [ManualPage] {
        let groups = root.subcommands.filter { $0.run == nil && !$0.isHidden }
        return [program(root, groups: groups, version: version)]
            + groups.map { group($0, root: root, version: version) }
    }

    private static func program(_ root: Command, groups: [Command], version: String) -> ManualPage {
        var page = ManualPage(name: root.name, section: 1, summary: "personal data hub", version: version)
        page.heading("Synopsis")
        page.usage(root.usage(path: [root.name]))
        page.heading("Description")
        page.paragraph("\(root.name) \(root.summary)")
        for paragraph in root.discussion { page.paragraph(paragraph) }
        page.heading("Commands")
        for command in root.subcommands where command.run != nil && !command.isHidden {
            describe(command, path: [root.name, command.name], on: &page)
        }
        page.heading("Plugins")
        for group in groups { page.definition("\(root.name)-\(group.name)(1)", group.summary) }
        page.heading("Options of every command")
        for option in GlobalOptions.all.map(\.parameter) { define(option, on: &page) }
        for topic in HelpTopic.allCases {
            page.heading(topic.section)
            for block in topic.blocks {
                switch block {
                case .paragraph(let text): page.paragraph(text)
                case .definitions(let items): for item in items { page.definition(item.term, item.meaning) }
                }
            }
        }
        return page
    }

    private static func group(_ group: Command, root: Command, version: String) -> ManualPage {
        var page = ManualPage(
            name: "\(root.name)-\(group.name)", section: 1, summary: group.summary, version: version)
        page.heading("Synopsis")
        page.usage(group.usage(path: [root.name, group.name]))
        for paragraph in group.discussion { page.paragraph(paragraph) }
        page.heading("Commands")
        for command in group.subcommands where !command.isHidden {
            describe(command, path: [root.name, group.name, command.name], on: &page)
        }
        if !group.examples.isEmpty {
            page.heading("Examples")
            for example in group.examples { page.definition(example.command, example.summary) }
        }
        page.heading("See also")
        page.paragraph("\(root.name)(1), \(root.name)-config(5)")
        return page
    }

    /// A command, its options and examples, then the commands below it.
    private static func describe(_ command: Command, path: [String], on page: inout ManualPage) {
        page.subheading(command.usage(path: path))
        page.paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
        for paragraph in command.discussion { page.paragraph(paragraph) }
        for parameter in command.arguments where !parameter.help.isEmpty { define(parameter, on: &page) }
        for parameter in command.options where !parameter.isHidden { define(parameter, on: &page) }
        if !command.fields.isEmpty { page.paragraph("Fields: " + command.fields.map(\.name).joined(separator: ", ")) }
        for example in command.examples { page.definition("$ \(example.command)", example.summary) }
        for next in command.subcommands where !next.isHidden { describe(next, path: path + [next.name], on: &page) }
    }

    private static func define(_ parameter: Parameter, on page: inout ManualPage) {
        let declaration = parameter.declaration.drop { $0 == " " }
        let twin = parameter.environmentName.map { " [\($0)]" } ?? ""
        page.definition(String(declaration), parameter.explanation + twin)
    }
}

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
