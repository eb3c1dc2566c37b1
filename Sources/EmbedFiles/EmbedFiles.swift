import Foundation
import PackagePlugin

/// Puts the files of a page, or of a list, into the program: each is `PackageResources.name_suffix`, an array of bytes.
///
/// SwiftPM's own way writes an array with a number for each byte, which took the compiler a minute for the pages of hub; a text
/// takes it no time.
@main
struct EmbedFiles: BuildToolPlugin {
    /// Where a target has files to embed.
    static let places = ["UI/Web", "Web/Assets", "Libraries/libraries.tsv"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = Self.places.flatMap { contents(of: target.directoryURL.appending(path: $0)) }
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        let script = context.package.directoryURL.appending(path: "Sources/EmbedFiles/embed")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files in \(target.name)", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path(percentEncoded: false), output.path(percentEncoded: false)]
                    + files.map { $0.path(percentEncoded: false) },
                inputFiles: files + [script], outputFiles: [output])
        ]
    }

    /// The file at a place, or all files of a folder, sorted by path.
    private func contents(of place: URL) -> [URL] {
        var isFolder: ObjCBool = false
        let path = place.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [place] }
        let names = FileManager.default.subpaths(atPath: path) ?? []
        // Declarations of types are for the type checker alone.
        return names.sorted().filter { !$0.hasSuffix(".d.ts") }.map { place.appending(path: $0) }
            .filter { !$0.hasDirectoryPath && isFile($0) }
    }

    private func isFile(_ place: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: place.path(percentEncoded: false), isDirectory: &isFolder)
            && !isFolder.boolValue
    }
}
