import Commands
import HubKit

/// `hub api`: the HTTP API for other programs.
enum APICommands {
    static let command = Command(
        group: "api", summary: "the HTTP API of hub serve, for other programs",
        examples: [
            Example("hub api tokens add script --scope read", "let a program read everything"),
            Example("hub api describe > openapi.json", "describe its routes"),
        ], prominence: .full, subcommands: [APITokenCommands.command, describe])

    private static let describe = Command(
        "describe", summary: "print the HTTP API as an OpenAPI 3.1 document",
        discussion: ["hub serve has the same document at \(APIDescription.path)."],
        examples: [
            Example("hub api describe", "print the document"),
            Example("hub api describe -o openapi.json", "write it to a file"),
        ]
    ) { (hub: Hub, _: Input) in
        .file(Array((APIDescription.document(of: try hub.enabledDescriptors()).line + "\n").utf8))
    }
}
