import Commands
import ContactsDomain
import HubKit
import QRCode

/// `hub contacts qr`: shows a contact as a QR code.
enum QRCommand {
    static let command = Command(
        "qr", summary: "show a contact as a QR code",
        discussion: [
            "The code contains the contact as vCard 3.0 without its picture, up to 2,953 bytes. With -o FILE it is "
                + "written as SVG or PNG, depending on the file extension."
        ],
        examples: [
            Example("hub contacts qr lukasz", "in the terminal"),
            Example("hub contacts qr lukasz -o lukasz.png", "as an image"),
        ], prominence: .more, parameters: [ContactCommands.one]
    ) { (contacts: ContactsPlugin, input: Input) in
        let format = try Format(file: input[GlobalOptions.output])
        let chosen = try await contacts.entities.select(input[ContactCommands.one], asking: input)
        let code = try await contacts.qrCode(of: chosen.id)
        if !input.dryRun { await contacts.recordUsage(of: chosen.id) }
        switch format {
        case .svg: return .file(Array(code.svg.utf8))
        case .png: return .file(code.png())
        case .text:
            var output = Output.text(code.halfBlocks)
            output.ascii = code.ascii
            let width = code.size + 2 * QRCode.margin
            guard width > 80 else { return output }
            return output.noting(
                Diagnostic(
                    "the code is \(width) columns wide", level: .aside, hint: "save it as an image with -o FILE.svg"))
        }
    }

    /// The output formats.
    private enum Format {
        case text, svg, png

        /// Returns the format for a file name; text for a terminal and for text files. Throws a usage error.
        init(file: String?) throws(HubError) {
            let ending = file.flatMap { $0.split(separator: "/").last }.flatMap { name in
                name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
            }
            switch ending {
            case "svg": self = .svg
            case "png": self = .png
            case nil, "txt": self = .text
            case let ending?:
                throw HubError(
                    .usage, code: "picture-format", "a QR code cannot be written as .\(ending)",
                    hint: "use a file name that ends in .svg or .png")
            }
        }
    }
}
