import Glibc
import HubKit
import Storage
import System

/// Makes a PDF of an HTML file with a program that is installed.
struct PDFPrinter: Sendable {
    /// A program, and the words that have it print one file to another.
    private struct Tool {
        let names: [String]
        let words: @Sendable (_ html: String, _ pdf: String, _ folder: String) -> [String]
    }

    private static let timeout = Duration.seconds(120)

    private static let tools = [
        Tool(names: ["weasyprint"]) { html, pdf, _ in [html, pdf] },
        Tool(names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]) { html, pdf, folder in
            [
                "--headless", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run",
                "--user-data-dir=\(folder)/profile", "--print-to-pdf=\(pdf)",
                // It refuses to run as root otherwise. What it reads is hub's own file, which has no script and loads nothing.
            ] + (getuid() == 0 ? ["--no-sandbox"] : []) + ["file://\(html)"]
        },
        Tool(names: ["wkhtmltopdf"]) { html, pdf, _ in ["--quiet", "--disable-javascript", html, pdf] },
    ]

    /// The folder for files that are gone afterwards.
    let folder: String
    /// The folders of programs.
    let path: String

    init(folder: String, path: String = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin") {
        self.folder = folder
        self.path = path
    }

    /// Returns the PDF of an HTML file. Throws `pdf-program-missing` if no program is installed that can make one.
    func pdf(of html: [UInt8]) async throws -> [UInt8] {
        guard let (program, words) = tool() else {
            throw HubError(
                .unavailable, code: "pdf-program-missing", "no program is installed that makes a PDF",
                hint: "apt install weasyprint, or export as HTML and print it in a browser")
        }
        let folder = "\(folder)/\(Identifier.make())"
        try await BackgroundThread.run {
            do throws(SystemError) {
                try Directory.make(folder)
                try DirectoryHandle(folder).write(html, new: "note.html", mode: 0o600, isLasting: false)
            } catch {
                throw HubError(storeFile: error)
            }
        }
        do {
            let bytes = try await print(folder, program, words)
            await remove(folder)
            return bytes
        } catch {
            await remove(folder)
            throw error
        }
    }

    /// Removes the folder of a print, in which the program may have left more.
    private func remove(_ folder: String) async {
        _ = try? await Subprocess("rm", ["-rf", "--", folder]).run(outputLimit: 1 << 10, timeout: .seconds(30))
    }

    private func print(
        _ folder: String, _ program: String, _ words: @Sendable (String, String, String) -> [String]
    ) async throws -> [UInt8] {
        let pdf = folder + "/note.pdf"
        let finished: Subprocess.Finished
        do throws(SubprocessError) {
            finished = try await Subprocess(program, words(folder + "/note.html", pdf, folder)).run(
                outputLimit: 1 << 16, timeout: Self.timeout)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw Self.failure(program, ["\(error)"])
        }
        let bytes = try? await ChunkedFileReader.contents(of: pdf, limit: 1 << 30, isRegular: true)
        guard finished.status.isSuccess, let bytes, bytes.starts(with: "%PDF".utf8) else {
            let lines = String(decoding: finished.errorOutput, as: UTF8.self).split(separator: "\n")
            throw Self.failure(program, lines.suffix(2).map { TerminalSanitizer.line(String($0)) })
        }
        return bytes
    }

    private static func failure(_ program: String, _ details: [String]) -> HubError {
        HubError(
            .unavailable, code: "pdf-failed", "\(program) did not make a PDF", details: details,
            hint: "export as HTML and print it in a browser")
    }

    private func tool() -> (String, @Sendable (String, String, String) -> [String])? {
        let folders = path.split(separator: ":")
        for tool in Self.tools {
            for name in tool.names {
                if let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) {
                    return ("\(folder)/\(name)", tool.words)
                }
            }
        }
        return nil
    }
}
